import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort } from './free-port.ts'

const NGINX = '/usr/sbin/nginx'
export const HAS_NGINX = existsSync(NGINX)

/** nginx in front of some API processes, with the settings of docs/production.md. */
export interface Nginx {
  readonly port: number
  /** Sends new calls to these ports only, as an operator does before one of them is restarted. */
  leadTo(ports: readonly number[]): Promise<void>
  /** Of all calls so far: status, method, address. */
  answers(): Promise<readonly string[]>
  stop(): Promise<void>
}

/** Starts it with all of its files in `folder`. */
export async function startNginx(folder: string, ports: readonly number[]): Promise<Nginx> {
  const port = await freePort()
  const file = join(folder, 'nginx.conf')
  const write = async (to: readonly number[]) => await writeFile(file, confOf(folder, port, to))
  await write(ports)
  const nginx = spawn(NGINX, ['-c', file, '-e', join(folder, 'nginx-error.log')], {
    stdio: 'ignore',
  })
  return {
    port,
    async leadTo(to) {
      await write(to)
      nginx.kill('SIGHUP')
      // Old workers end with the calls that they have; nothing says when new ones listen.
      await setTimeout(1_000)
    },
    async answers() {
      return (await readFile(join(folder, 'access.log'), 'utf8')).split('\n').filter(Boolean)
    },
    async stop() {
      if (nginx.exitCode !== null) return
      nginx.kill('SIGTERM')
      await once(nginx, 'exit')
    },
  }
}

function confOf(folder: string, port: number, ports: readonly number[]): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join('\n  ')
  return `daemon off;
pid ${folder}/nginx.pid;
events {}
http {
  ${temporary}
  log_format short '$status $request_method $uri';
  access_log ${folder}/access.log short;
  upstream api {
    ${ports.map((each) => `server 127.0.0.1:${each} max_fails=0;`).join('\n    ')}
  }
  server {
    listen 127.0.0.1:${port};
    client_max_body_size 70m;
    location / {
      proxy_pass http://api;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_http_version 1.1;
      proxy_request_buffering off;
      proxy_max_temp_file_size 0;
      proxy_read_timeout 120s;
    }
  }
}
`
}
