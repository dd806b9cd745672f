import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { isIP } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseImportHosts, type ImportHost } from '#server/net/import-hosts.ts'
import { createOutgoing, OutgoingError, type Outgoing } from '#server/net/outgoing.ts'
import { isPublicAddress } from '#server/net/public-address.ts'
import { linkedFile, startLinkHost, type LinkHost } from '#tests/fakes/link-host.ts'

/** Stands for everything that must not be reached: it counts who connects. */
let connections = 0
const inner = createServer((socket) => {
  connections += 1
  socket.destroy()
})
let innerPort = 0
let host: LinkHost

beforeAll(async () => {
  await new Promise<void>((resolve) => inner.listen(0, '127.0.0.1', resolve))
  innerPort = (inner.address() as AddressInfo).port
  host = await startLinkHost()
})
beforeEach(() => {
  connections = 0
  host.troubles.length = 0
  host.asked.length = 0
  host.files.set('/a.mp4', linkedFile(new Uint8Array(10)))
})
afterAll(async () => {
  await new Promise((resolve) => inner.close(resolve))
  await host.stop()
})

const hostsOf = (list: string): readonly ImportHost[] => {
  const hosts = parseImportHosts(list)
  if (hosts === null) throw new Error(`${list} is no list of hosts`)
  return hosts
}
/** What a real server would use, but for its resolver, which answers these addresses. */
const realButFor = (addresses: readonly string[]): Outgoing =>
  createOutgoing(hostsOf(`share.example,share.example:${innerPort}`), {
    protocol: 'https:',
    answerMs: 2_000,
    isReachable: isPublicAddress,
    resolve: async () =>
      await Promise.resolve(addresses.map((address) => ({ address, family: isIP(address) }))),
  })
const fetchBy = async (outgoing: Outgoing, link: string): Promise<string> =>
  await outgoing.open({ link, headers: {}, signal: new AbortController().signal }).then(
    ({ message }) => {
      message.destroy()
      return `answered ${message.statusCode}`
    },
    (error: unknown) => {
      if (error instanceof OutgoingError) return error.fault
      throw error
    },
  )

describe('a link', () => {
  it.each([
    // Other schemes, and what is no address.
    ['http://share.example/a', 'not-a-link'],
    ['file:///etc/passwd', 'not-a-link'],
    ['ftp://share.example/a', 'not-a-link'],
    ['gopher://share.example/', 'not-a-link'],
    ['data:text/plain,hello', 'not-a-link'],
    ['javascript:alert(1)', 'not-a-link'],
    ['ws://share.example/', 'not-a-link'],
    ['share.example/a', 'not-a-link'],
    ['//share.example/a', 'not-a-link'],
    ['', 'not-a-link'],
    ['https://', 'not-a-link'],
    [`https://share.example/${'a'.repeat(4097)}`, 'not-a-link'],
    // Passwords, and hosts that hide behind them.
    ['https://me:secret@share.example/a', 'not-a-link'],
    ['https://me@share.example/a', 'not-a-link'],
    ['https://share.example@127.0.0.1/', 'not-a-link'],
    ['https://share.example:443@169.254.169.254/', 'not-a-link'],
    // This machine and its network in every way to write an address.
    ['https://127.0.0.1/', 'host'],
    ['https://127.1/', 'host'],
    ['https://2130706433/', 'host'],
    ['https://0177.0.0.1/', 'host'],
    ['https://0x7f.0.0.1/', 'host'],
    ['https://0x7f000001/', 'host'],
    ['https://017700000001/', 'host'],
    ['https://127.0.0.1./', 'host'],
    ['https://0/', 'host'],
    ['https://0.0.0.0/', 'host'],
    ['https://10.0.0.1/', 'host'],
    ['https://172.16.0.1/', 'host'],
    ['https://192.168.1.1/', 'host'],
    ['https://169.254.169.254/latest/meta-data', 'host'],
    ['https://100.64.0.1/', 'host'],
    ['https://[::1]/', 'host'],
    ['https://[::]/', 'host'],
    ['https://[::ffff:127.0.0.1]/', 'host'],
    ['https://[::ffff:7f00:1]/', 'host'],
    ['https://[fe80::1]/', 'host'],
    ['https://[fd00::1]/', 'host'],
    ['https://[64:ff9b::7f00:1]/', 'host'],
    ['https://１２７.０.０.１/', 'host'],
    ['https://①②⑦.⓪.⓪.①/', 'host'],
    // A public address is no name of the list either.
    ['https://8.8.8.8/', 'host'],
    ['https://[2606:4700::1111]/', 'host'],
    // Names that are none of the list.
    ['https://localhost/', 'host'],
    ['https://localhost.localdomain/', 'host'],
    ['https://metadata.google.internal/', 'host'],
    ['https://share.example.evil.example/', 'host'],
    ['https://notshare.example/', 'host'],
    ['https://share-example/', 'host'],
    ['https://example/', 'host'],
    ['https://evil.example/share.example', 'host'],
    ['https://evil.example#share.example', 'host'],
    ['https://evil.example\\@share.example/', 'host'],
    // Other ports of a host of the list.
    ['https://share.example:22/', 'host'],
    ['https://share.example:80/', 'host'],
    ['https://share.example:5432/', 'host'],
    ['https://share.example:6379/', 'host'],
  ])('UPL-11 %s is refused before a connection', async (link, fault) => {
    expect(await fetchBy(realButFor(['127.0.0.1']), link)).toBe(fault)
    expect(connections).toBe(0)
  })
})

describe('a name', () => {
  it.each([
    ['0.0.0.0'],
    ['10.1.2.3'],
    ['100.127.255.254'],
    ['127.0.0.1'],
    ['127.255.255.254'],
    ['169.254.169.254'],
    ['172.31.255.255'],
    ['192.0.0.8'],
    ['192.0.2.1'],
    ['192.88.99.1'],
    ['192.168.0.1'],
    ['198.19.0.1'],
    ['198.51.100.7'],
    ['203.0.113.9'],
    ['224.0.0.1'],
    ['239.255.255.250'],
    ['240.0.0.1'],
    ['255.255.255.255'],
    ['::'],
    ['::1'],
    ['::127.0.0.1'],
    ['::ffff:10.0.0.1'],
    ['::ffff:8.8.8.8'],
    ['64:ff9b::a00:1'],
    ['100::1'],
    ['2001::1'],
    ['2001:db8::1'],
    ['2002:7f00:1::'],
    ['3fff::1'],
    ['5f00::1'],
    ['fc00::1'],
    ['fd12:3456::1'],
    ['fe80::1'],
    ['fec0::1'],
    ['ff02::1'],
  ])('UPL-11 that leads to %s is refused before a connection', async (address) => {
    expect(await fetchBy(realButFor([address]), `https://share.example:${innerPort}/`)).toBe(
      'address',
    )
    expect(await fetchBy(realButFor(['8.8.8.8', address]), 'https://share.example/')).toBe(
      'address',
    )
    expect(connections).toBe(0)
  })

  it.each([['8.8.8.8'], ['1.1.1.1'], ['2606:4700::1111'], ['2001:4860:4860::8888']])(
    'UPL-11 may lead to %s',
    (address) => {
      expect(isPublicAddress(address)).toBe(true)
    },
  )

  it('UPL-11 that is not there is no answer', async () => {
    expect(await fetchBy(realButFor([]), 'https://share.example/')).toBe('away')
  })
})

describe('a redirect', () => {
  const reachable = (): Outgoing =>
    createOutgoing(hostsOf(`share.example:${host.port}`), host.reach)

  it('UPL-11 is followed inside the list', async () => {
    host.troubles.push({ kind: 'redirect', to: `https://cdn.share.example:${host.port}/a.mp4` })
    host.troubles.push({ kind: 'redirect', to: '/a.mp4' })
    expect(await fetchBy(reachable(), `${host.origin}/old`)).toBe('answered 200')
    expect(host.asked).toHaveLength(3)
  })

  it.each([
    ['https://127.0.0.1/', 'host'],
    ['https://[::1]/', 'host'],
    ['https://localhost/', 'host'],
    ['https://169.254.169.254/', 'host'],
    ['https://evil.example/', 'host'],
    ['//evil.example/', 'host'],
    ['https://share.example:22/', 'host'],
    ['file:///etc/passwd', 'not-a-link'],
    ['http://share.example/', 'not-a-link'],
    ['https://me:secret@share.example/', 'not-a-link'],
  ])('UPL-11 to %s is refused', async (to, fault) => {
    host.troubles.push({ kind: 'redirect', to })
    expect(await fetchBy(reachable(), `${host.origin}/old`)).toBe(fault)
    expect(host.asked).toHaveLength(1)
  })

  it('UPL-11 without an end is refused', async () => {
    for (let hop = 0; hop < 10; hop += 1) host.troubles.push({ kind: 'redirect', to: '/again' })
    expect(await fetchBy(reachable(), `${host.origin}/old`)).toBe('redirects')
    expect(host.asked).toHaveLength(6)
  })
})

it('UPL-11 a name that changes its address is asked once a connection, and refused when it turns', async () => {
  const answers = ['127.0.0.1', '127.0.0.1', '10.0.0.1']
  let asked = 0
  const outgoing = createOutgoing(hostsOf(`share.example:${host.port}`), {
    ...host.reach,
    resolve: async () => {
      asked += 1
      const address = answers.shift() ?? '10.0.0.1'
      return await Promise.resolve([{ address, family: 4 }])
    },
  })
  expect(await fetchBy(outgoing, `${host.origin}/a.mp4`)).toBe('answered 200')
  expect(asked).toBe(1)
  host.troubles.push({ kind: 'redirect', to: '/a.mp4' })
  expect(await fetchBy(outgoing, `${host.origin}/old`)).toBe('address')
  expect(asked).toBe(3)
})

it('UPL-11 a host with the certificate of another one is not listened to', async () => {
  const outgoing = createOutgoing(hostsOf(`other.example:${host.port}`), host.reach)
  expect(await fetchBy(outgoing, `https://other.example:${host.port}/a.mp4`)).toBe('away')
  expect(host.asked).toEqual([])
})

describe('the list of hosts', () => {
  it.each([
    ['none', []],
    ['dropbox.com', [{ name: 'dropbox.com', port: 443 }]],
    [
      ' Dropbox.com , cloud.example.org:8443',
      [
        { name: 'dropbox.com', port: 443 },
        { name: 'cloud.example.org', port: 8443 },
      ],
    ],
  ])('UPL-01 reads %j', (list, hosts) => {
    expect(parseImportHosts(list)).toEqual(hosts)
  })

  it.each([
    '',
    'localhost',
    '*.example.com',
    'https://example.com',
    'example.com/path',
    '127.0.0.1',
    '0x7f.1',
    'example.com:0',
    'example.com:70000',
    'example.com:1:2',
    'example.com,',
    'ex ample.com',
    '[::1]',
  ])('UPL-01 takes no %j', (list) => {
    expect(parseImportHosts(list)).toBeNull()
  })
})

describe('a request that writes', () => {
  const write = async (link: string): Promise<string> =>
    await createOutgoing(hostsOf(`share.example:${host.port}`), host.reach)
      .open({
        link,
        headers: { 'content-length': '4' },
        signal: new AbortController().signal,
        writes: { method: 'PUT', body: Readable.from([Buffer.from('save')]) },
      })
      .then(
        ({ message }) => {
          message.destroy()
          return `answered ${message.statusCode}`
        },
        (error: unknown) => (error instanceof OutgoingError ? error.fault : String(error)),
      )

  it('LIF-09 goes to hosts of the list only, and follows no redirect', async () => {
    expect(await write(`${host.origin}/a.mp4`)).toBe('answered 200')
    expect(await write('https://elsewhere.example/a.mp4')).toBe('host')
    host.troubles.push({ kind: 'redirect', to: `${host.origin}/a.mp4` })
    expect(await write(`${host.origin}/a.mp4`)).toBe('redirects')
    expect(host.asked).toHaveLength(2)
  })

  it('LIF-09 tells a body that cannot be read from a host that is away', async () => {
    const unreadable = new Readable({
      read() {
        this.destroy(new Error('the disk is broken'))
      },
    })
    const asked = createOutgoing(hostsOf(`share.example:${host.port}`), host.reach).open({
      link: `${host.origin}/a.mp4`,
      headers: { 'content-length': '4' },
      signal: new AbortController().signal,
      writes: { method: 'PUT', body: unreadable },
    })
    await expect(asked).rejects.toThrow('the disk is broken')
  })
})
