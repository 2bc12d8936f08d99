"""The gallery: sentences that work, each carried out and judged on the true state of the body, as docs/gallery.md."""
