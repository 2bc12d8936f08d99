"""What a person teaches a robot, and where it is applied: ``graftwork bench teaching``."""
