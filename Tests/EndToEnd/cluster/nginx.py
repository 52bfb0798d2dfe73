"""nginx before the instances, with a configuration of its own."""

import os
import pathlib
import shutil
import signal
import subprocess

from postgresql import new_port

# An address that fails is left alone for a moment. A request that an instance may have taken goes to no other one: only
# the client may try it again, since only the client can know what that means.
CONFIGURATION = """
daemon off;
{user}
worker_processes 2;
pid {folder}/pid;
error_log {folder}/error.log warn;
events {{ worker_connections 2048; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    upstream phoneproof {{
        {servers}
    }}
    server {{
        listen 127.0.0.1:{port} backlog=1024;
        proxy_http_version 1.1;
        proxy_set_header Connection "";
        proxy_connect_timeout 1s;
        proxy_send_timeout 6s;
        proxy_read_timeout 6s;
        proxy_next_upstream error timeout;
        proxy_next_upstream_timeout 7s;
        add_header X-Instance $upstream_addr always;
        # These are for programs on the machine, as the load is.
        location /v1/verifications {{
            proxy_pass http://phoneproof;
            proxy_set_header Host 127.0.0.1;
        }}
        location / {{
            proxy_pass http://phoneproof;
            proxy_set_header Host $host;
            proxy_set_header X-Forwarded-For $remote_addr;
        }}
    }}
}}
"""


class Nginx:
    def __init__(self, folder, ports):
        program = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin")
        if not program:
            raise RuntimeError("nginx is not installed: apt-get install nginx")
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True)
        self.port = new_port()
        servers = " ".join(f"server 127.0.0.1:{port} max_fails=1 fail_timeout=1s;" for port in ports)
        path = self.folder / "nginx.conf"
        path.write_text(CONFIGURATION.format(
            folder=self.folder, port=self.port, servers=servers, user="user root;" if os.geteuid() == 0 else "",
        ))
        with open(self.folder / "output", "w") as output:
            self.process = subprocess.Popen(
                ["setpriv", "--pdeathsig", "TERM", "--", program, "-p", str(self.folder), "-c", str(path)],
                stdout=output, stderr=output,
            )

    def reload(self):
        self.process.send_signal(signal.SIGHUP)

    def close(self):
        self.process.send_signal(signal.SIGQUIT)
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.terminate()
            self.process.wait()
