#!/bin/sh
# Finds the browser for tests and screenshots, or installs Debian's Chromium when run as root.
for browser in chromium-headless-shell chromium chromium-browser google-chrome; do
    command -v "$browser" >/dev/null 2>&1 && exit 0
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "Installing Chromium for the browser tests..."
    export DEBIAN_FRONTEND=noninteractive
    install="apt-get install --quiet --yes --no-install-recommends"
    apt-get update --quiet >/dev/null
    # Without windows it needs half of the processor time; older releases don't have it.
    for package in chromium-headless-shell chromium; do
        $install $package >/dev/null 2>&1 && exit 0
    done
fi
echo "Chromium not found, so the browser tests will be skipped. To run them: apt-get install chromium"
