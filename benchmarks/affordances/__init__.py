"""What is answered of the affordances of classes, compared with right answers: precision, recall and F1."""
