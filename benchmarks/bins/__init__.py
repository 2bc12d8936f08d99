"""Small things: what is a few centimetres large is not believed gone for want of pixels, and what is gone is."""
