#!/bin/sh
# Finds the browser for tests and screenshots, or installs Debian's Chromium when run as root.
for browser in chromium chromium-browser google-chrome; do
    command -v "$browser" >/dev/null 2>&1 && exit 0
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "Installing Chromium, for the tests in a real browser ..."
    export DEBIAN_FRONTEND=noninteractive
    install="apt-get install --quiet --yes --no-install-recommends chromium"
    { $install || { apt-get update --quiet && $install; }; } >/dev/null && exit 0
fi
echo "No Chromium was found: the tests in a browser are left out. Install it to run them (apt-get install chromium)."
