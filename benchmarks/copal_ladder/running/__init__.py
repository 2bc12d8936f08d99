"""How CoPAL's configurations and our ladder carry out a text."""
