#!/bin/sh
# Finds the reverse proxies for the tests of deploy/, or installs Debian's packages when run as root.
missing=
for proxy in nginx haproxy caddy; do
    PATH="$PATH:/usr/sbin" command -v "$proxy" >/dev/null 2>&1 || missing="$missing $proxy"
done
[ -z "$missing" ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "Installing$missing for the tests of the server behind a proxy..."
    export DEBIAN_FRONTEND=noninteractive
    # Nothing may start here by itself: the tests start their own, on other ports.
    policy=/usr/sbin/policy-rc.d
    [ -e "$policy" ] || { printf '#!/bin/sh\nexit 101\n' >"$policy" && chmod +x "$policy" && trap 'rm -f "$policy"' EXIT; }
    packages=$(echo "$missing" | sed 's/nginx/nginx-light/')
    install="apt-get install --quiet --yes --no-install-recommends $packages"
    { $install || { apt-get update --quiet && $install; }; } >/dev/null 2>&1 && exit 0
fi
echo "Not found:$missing, so some tests of the server behind a proxy will be skipped. To run them: apt-get install nginx-light haproxy caddy"
exit 0
