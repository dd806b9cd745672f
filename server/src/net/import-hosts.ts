import { isIP } from 'node:net'

/** A host that this server may ask, and all names below it. */
export interface ImportHost {
  /** In lower case, as a URL writes it. */
  readonly name: string
  readonly port: number
}

/** Share links of Dropbox, and where they lead. */
export const USUAL_IMPORT_HOSTS = 'dropbox.com,dropboxusercontent.com'

/** The push services of Chromium, Firefox, Safari and Edge (read in November 2026). */
export const USUAL_PUSH_HOSTS =
  'fcm.googleapis.com,updates.push.services.mozilla.com,push.apple.com,notify.windows.com'

const HTTPS_PORT = 443
const NAME = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/

/**
 * Reads hosts separated by commas, e.g. `dropbox.com,cloud.example.com:8443`; `none` is an empty
 * list. Null when an entry is no name with at least one dot: addresses are never fetched from.
 */
export function parseImportHosts(list: string): readonly ImportHost[] | null {
  if (list === 'none') return []
  const hosts = list.split(',').map(parseHost)
  return hosts.every((host) => host !== null) ? hosts : null
}

/** Whether a URL leads to one of the hosts, at its port. */
export function isAllowedHost(url: URL, hosts: readonly ImportHost[]): boolean {
  const port = url.port === '' ? HTTPS_PORT : Number(url.port)
  const name = url.hostname.replace(/\.$/, '')
  return hosts.some(
    (host) => host.port === port && (name === host.name || name.endsWith(`.${host.name}`)),
  )
}

function parseHost(entry: string): ImportHost | null {
  const [name = '', port, ...rest] = entry.trim().toLowerCase().split(':')
  const number = port === undefined ? HTTPS_PORT : Number(port)
  const isPort = port === undefined || (/^\d{1,5}$/.test(port) && number > 0 && number < 65_536)
  // A last label of digits would be read as an IPv4 address.
  const isName = NAME.test(name) && isIP(name) === 0 && !/\.(?:\d+|0x[0-9a-f]*)$/.test(name)
  return rest.length === 0 && isPort && isName ? { name, port: number } : null
}
