from .effective_settings import EffectiveSetting as EffectiveSetting
from .effective_settings import SettingSource as SettingSource
from .effective_settings import list_settings as list_settings
from .installation import check_installation as check_installation
from .results import NOT_CHECKED_PREFIX as NOT_CHECKED_PREFIX
from .results import CheckResult as CheckResult
from .results import CheckStatus as CheckStatus
