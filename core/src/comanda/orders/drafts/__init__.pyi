from . import pricing as pricing
from . import quotes as quotes
