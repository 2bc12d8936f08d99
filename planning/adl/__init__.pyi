from .admission import admits as admits
