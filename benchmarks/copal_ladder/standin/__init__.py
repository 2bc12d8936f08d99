"""The stand-in for CoPAL's language model: it writes whole texts as the model does, and errs as the logs show."""
