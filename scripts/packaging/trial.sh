# What scripts/packaging/test tries under the systemd of a booted system, which has no network. What fails ends it.
set -eux
export DEBIAN_FRONTEND=noninteractive LC_ALL=C
install_offline() { apt-get install -qy --no-install-recommends --allow-downgrades "$1"; }
value() { systemctl show --value -p "$1" phoneproof.service; }
status() { curl -s -o /dev/null -m 20 -w '%{http_code}\n' "http://127.0.0.1:8080$1"; }
# Started anew this many times by systemd itself, and ready.
restarted() { until [ "$(value NRestarts)" = "$1" ] && systemctl -q is-active phoneproof.service; do sleep 0.1; done; }
# As Production.md has it.
as_service() {
    systemd-run -qdP -p User=phoneproof -p LoadCredential=phoneproof:/etc/phoneproof/credentials \
        -p LimitNOFILE=65536 $(env | sed -n 's/^\(PHONEPROOF_[^=]*\)=.*/-E \1/p') /usr/bin/phoneproof "$@"
}
signups() {
    curl -sf -X POST -H 'Content-Type: application/json' -d '{"region":"KR","locale":"en"}' -o /dev/null http://127.0.0.1:8080/v1/signups
}

: installed, it runs: with Type=notify a start returns when the service is ready
install_offline /root/old.deb
systemctl is-active phoneproof.service
[ "$(status /health/ready)" = 200 ]
old=$(value MainPID)
signups

: an upgrade restarts it
install_offline /root/new.deb
systemctl is-active phoneproof.service
pid=$(value MainPID)
[ "$pid" != "$old" ]
[ "$(status /health/ready)" = 200 ]

: what it may do
[ "$(ps -o user= -p "$pid")" = phoneproof ]
grep -x 'CapEff:	0000000000000000' "/proc/$pid/status"
grep -x 'CapBnd:	0000000000000000' "/proc/$pid/status"
grep -x 'NoNewPrivs:	1' "/proc/$pid/status"
grep -x 'Seccomp:	2' "/proc/$pid/status"
systemd-analyze security --no-pager phoneproof.service | tail -1 | tee /root/score

: a wrong setting ends it, and it is not started again until somebody corrects it
printf wrong >/etc/phoneproof/credentials/sms.gateway
if systemctl restart phoneproof.service; then exit 1; fi
[ "$(value ExecMainStatus)" = 78 ]
systemctl is-failed phoneproof.service
[ "$(value NRestarts)" = 0 ]
printf stub >/etc/phoneproof/credentials/sms.gateway
systemctl restart phoneproof.service

: one that hangs or dies is started again
mkdir /run/systemd/system/phoneproof.service.d
printf '[Service]\nWatchdogSec=2\nRestartSec=100ms\n' >/run/systemd/system/phoneproof.service.d/short.conf
systemctl daemon-reload
systemctl restart phoneproof.service
kill -STOP "$(value MainPID)"
restarted 1
kill -KILL "$(value MainPID)"
restarted 2
[ "$(status /health/ready)" = 200 ]

: with the socket no connection is refused during restarts
systemctl stop phoneproof.service
systemctl enable --now phoneproof.socket
systemctl start phoneproof.service
: >/root/answers
for _ in 1 2 3 4 5 6 7 8; do
    while [ ! -e /root/enough ]; do status /health/live >>/root/answers || true; done &
done
for _ in 1 2 3; do systemctl restart phoneproof.service; done
touch /root/enough
wait
[ "$(sort -u /root/answers)" = 200 ]

: PostgreSQL by its socket, as its own user, without a password
systemctl start postgresql.service
runuser -u postgres -- createuser phoneproof
runuser -u postgres -- createdb -O phoneproof phoneproof
url='postgresql:///phoneproof?host=/run/postgresql'
printf %s "$url" >/etc/phoneproof/credentials/database.url
printf %s /var/lib/phoneproof/phoneproof.keys >/etc/phoneproof/credentials/keys.file
as_service migrate
systemctl restart phoneproof.service
[ "$(status /health/ready)" = 200 ]
signups
[ "$(runuser -u postgres -- psql -Atc 'SELECT count(*) FROM signup' phoneproof)" = 1 ]
systemctl restart phoneproof.service
as_service keys create --name shop
[ "$(runuser -u postgres -- psql -Atc 'SELECT count(*) FROM api_key' phoneproof)" = 1 ]
as_service doctor >/root/doctor

: it stops in time, without an error, and is gone when it is removed
systemctl stop phoneproof.socket phoneproof.service
[ "$(value Result)" = success ]
[ "$(value ExecMainStatus)" = 0 ]
journalctl --no-pager -o cat -u phoneproof.service >/root/journal
systemctl start phoneproof.service
apt-get purge -qy phoneproof
if systemctl is-active phoneproof.service; then exit 1; fi
[ -z "$(find /etc /var/lib /usr -name '*phoneproof*')" ]
touch /root/passed
