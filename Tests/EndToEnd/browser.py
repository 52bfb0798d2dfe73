"""A browser without JavaScript: it follows redirects, keeps cookies, and fills in the forms that it is shown."""

import html.parser
import http.client
import http.cookies
import urllib.parse


class Page(html.parser.HTMLParser):
    """What there is to read and to fill in."""

    def __init__(self, status, headers, text, url):
        super().__init__()
        self.status, self.headers, self.text, self.url = status, headers, text, url
        self.forms, self.links, self.words, self.heading, self.tags = [], [], [], "", []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags.append(tag)
        if tag == "form":
            self.forms.append({"action": attributes.get("action") or "", "fields": {}})
        elif tag == "input" and self.forms:
            self.forms[-1]["fields"][attributes.get("name")] = attributes.get("value") or ""
        elif tag == "a":
            self.links.append(attributes.get("href"))

    def handle_data(self, data):
        if self.tags and self.tags[-1] in ("style", "script"):
            return
        if self.tags and self.tags[-1] == "h1":
            self.heading += data
        self.words.append(data)

    def handle_endtag(self, tag):
        self.tags.append("/" + tag)

    @property
    def said(self):
        return " ".join(" ".join(self.words).split())


class Browser:
    """One person's. It knows the service by its issuer, and other places not at all: there it stops."""

    def __init__(self, server, issuer, language="en"):
        self.port, self.issuer, self.language = server.port, issuer, language
        self.cookies, self.set_cookies, self.headers = {}, [], {}

    def request(self, method, url, form=None, **headers):
        """One exchange; gives status, headers and text."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            headers = {"Accept-Language": self.language, **self.headers, **headers}
            if self.cookies:
                headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
            body = None
            if form is not None:
                body = urllib.parse.urlencode(form)
                headers["Content-Type"] = "application/x-www-form-urlencoded"
            connection.request(method, url.removeprefix(self.issuer), body, headers)
            response = connection.getresponse()
            text = response.read().decode()
        finally:
            connection.close()
        for line in response.headers.get_all("Set-Cookie") or []:
            self.set_cookies.append(line)
            for name, morsel in http.cookies.SimpleCookie(line).items():
                if morsel["max-age"] == "0":
                    self.cookies.pop(name, None)
                else:
                    self.cookies[name] = morsel.value
        return response.status, response.headers, text

    def open(self, url, form=None, method=None):
        """Goes there, and on to where that leads. Gives the page, or the URL of another site."""
        method = method or ("GET" if form is None else "POST")
        for _ in range(10):
            if not url.startswith(self.issuer + "/"):
                return url
            status, headers, text = self.request(method, url, form)
            if status not in (302, 303):
                return Page(status, headers, text, url)
            url, method, form = urllib.parse.urljoin(url, headers["Location"]), "GET", None
        raise AssertionError("redirected without end")

    def submit(self, page, number=0, **fields):
        """Fills in one of a page's forms, and sends it."""
        form = page.forms[number]
        return self.open(urllib.parse.urljoin(page.url, form["action"] or page.url), {**form["fields"], **fields})

    def sign_in(self, page, client, number):
        """From the page with the phone field to the end."""
        before = len(client.codes(number))
        page = self.submit(page, phone_text=number)
        assert page.status == 200, page.said
        return self.submit(page, code_text=client.code(number, before))
