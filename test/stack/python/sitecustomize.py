# RFC 6761: names below `localhost` mean loopback. Python leaves them to the machine, and many machines do not know them.
import socket

lookup = socket.getaddrinfo


def getaddrinfo(host, *rest, **named):
    below = isinstance(host, str) and host.endswith(".localhost")
    return lookup("127.0.0.1" if below else host, *rest, **named)


socket.getaddrinfo = getaddrinfo
