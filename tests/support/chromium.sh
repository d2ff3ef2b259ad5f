#!/bin/sh
# Run $CHROMIUM with the features of every --disable-features disabled, of which it heeds the last alone: one is
# Playwright's, one ours.
for argument; do
  case $argument in
    --disable-features=*) disabled=${disabled:+$disabled,}${argument#*=} ;;
  esac
done
exec "$CHROMIUM" "$@" ${disabled:+"--disable-features=$disabled"}
