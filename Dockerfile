# The server in a container: not root, a read-only file system, no network but its own port.
#
#   docker build -t halgo .
#   docker network create --internal offline
#   docker run --rm --read-only --cap-drop ALL --security-opt no-new-privileges \
#     --network offline -e HALGO_TOKEN -v "$PWD/docs:/docs:ro" halgo
#
# Models are fetched while the image is built; nothing is fetched after that.
FROM python:3.11-slim AS build
WORKDIR /src
COPY . .
# The versions that halgo is tested with, without what only its tests need.
RUN grep -oE '^[A-Za-z0-9._-]+==[^ ;]+' requirements.lock > /tmp/pins.txt \
 && python -m venv /opt/halgo \
 && /opt/halgo/bin/pip install --no-cache-dir -c /tmp/pins.txt '.[serve,pdf,docx]' \
 && apt-get update \
 && /opt/halgo/bin/halgo models fetch \
 && /opt/halgo/bin/halgo doctor

FROM python:3.11-slim
COPY --from=build /opt/halgo /opt/halgo
RUN useradd --system --no-create-home --shell /usr/sbin/nologin halgo
USER halgo
ENV PATH=/opt/halgo/bin:$PATH PYTHONDONTWRITEBYTECODE=1
EXPOSE 8765
STOPSIGNAL SIGTERM
# /ready says no while documents are read and once the server is to stop. Any status is an answer.
HEALTHCHECK --interval=10s --start-period=60s --timeout=3s CMD \
  ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8765/ready', timeout=2)"]
ENTRYPOINT ["halgo", "serve", "--host", "0.0.0.0", "--port", "8765"]
CMD ["/docs"]
