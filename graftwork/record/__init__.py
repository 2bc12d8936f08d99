"""What a run leaves behind: its record and its log while it goes on, its episode at the end."""
