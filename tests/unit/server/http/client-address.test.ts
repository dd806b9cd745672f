import { expect, it } from 'vitest'
import { networkOf, originalAddress, parseProxies } from '#server/addresses.ts'

const none = parseProxies('')!
const proxies = parseProxies('127.0.0.1, 10.0.0.0/8,::1')!

it.each([
  ['no proxy is believed unless set', none, '10.0.0.1', '203.0.113.9', '10.0.0.1'],
  ['a stranger is not believed', proxies, '198.51.100.4', '203.0.113.9', '198.51.100.4'],
  ['a trusted proxy is', proxies, '127.0.0.1', '203.0.113.9', '203.0.113.9'],
  [
    'what the sender claimed before the proxy is not',
    proxies,
    '127.0.0.1',
    '1.2.3.4, 203.0.113.9',
    '203.0.113.9',
  ],
  [
    'a chain of trusted proxies is walked',
    proxies,
    '::1',
    '1.2.3.4, 203.0.113.9, 10.1.2.3',
    '203.0.113.9',
  ],
  ['no header leaves the proxy', proxies, '127.0.0.1', undefined, '127.0.0.1'],
  ['nonsense ends at who wrote it', proxies, '127.0.0.1', 'unknown', '127.0.0.1'],
  [
    'nonsense behind a proxy ends at that proxy',
    proxies,
    '127.0.0.1',
    '_hidden, 10.1.2.3',
    '10.1.2.3',
  ],
  ['ports and brackets are taken off', proxies, '127.0.0.1', '[2001:db8::7]:4711', '2001:db8::7'],
  ['IPv4 in IPv6 counts as IPv4', proxies, '127.0.0.1', '::ffff:203.0.113.9', '203.0.113.9'],
  ['a request without a socket stays unknown', proxies, 'unknown', '203.0.113.9', 'unknown'],
] as const)('%s', (_rule, trusted, connection, header, expected) => {
  expect(originalAddress(connection, header, trusted)).toBe(expected)
})

it.each(['proxy.example', '10.0.0.0/33', '10.0.0.0/', '10.0.0.1/8/9', '::1/129', '10.0.0.0/x'])(
  '%s is no list of proxies',
  (list) => {
    expect(parseProxies(list)).toBeNull()
  },
)

it.each([
  ['203.0.113.9', '203.0.113.9'],
  ['unknown', 'unknown'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::7', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::203.0.113.9', '64:ff9b:0:0::/64'],
])('TRU-04 %s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
