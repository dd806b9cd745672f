import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { put, startPlainStore } from './plain-store.ts'
import { startFaultProxy, type FaultProxy } from '#tests/faults/fault-proxy.ts'
import { FAST_NETWORK, type Fault } from '#tests/faults/faults.ts'

const UPLOAD = '0199c0de-0000-7000-8000-000000000001'
const partPath = (partNumber: number): string => `/editors/api/v1/parts/${UPLOAD}/${partNumber}?s=x`
const body = randomBytes(300_000)
const sha256 = createHash('sha256').update(body).digest('hex')

describe('the fault proxy', () => {
  let proxy: FaultProxy
  let store: Awaited<ReturnType<typeof startPlainStore>>
  const spoil = (fault: Fault, times = 1): void =>
    proxy.add({ match: ({ kind }) => kind === 'part', fault, times })
  const send = (device?: string): ReturnType<typeof put> =>
    put(proxy.origin, partPath(1), body, device === undefined ? {} : { device })

  beforeEach(async () => {
    proxy = await startFaultProxy()
    store = await startPlainStore()
    proxy.setTarget(store.origin)
  })
  afterEach(async () => {
    await proxy.close()
    await store.close()
  })

  it('lets everything through untouched when nothing is wished', async () => {
    const answer = await send()
    expect(answer?.status).toBe(200)
    expect(answer?.headers.get('etag')).toBe(`"${sha256}"`)
    expect(store.stored).toEqual([{ sizeBytes: body.length, sha256 }])
    expect(proxy.ledger.parts('')).toEqual([
      { partNumber: 1, attempts: 1, receivedBytes: body.length },
    ])
    expect(proxy.ledger.mostConcurrentParts('')).toBe(1)
  })

  it.each<[string, Fault, number, number]>([
    ['400 RequestTimeout', { kind: 'answer', status: 400, code: 'RequestTimeout' }, 400, 0],
    ['403', { kind: 'answer', status: 403, code: 'AccessDenied' }, 403, 0],
    ['early answer', { kind: 'early-answer', status: 503 }, 503, 0],
    ['portal', { kind: 'portal' }, 200, 0],
    ['error in a success', { kind: 'error-in-success' }, 200, 0],
    ['latency', { kind: 'latency', delayMs: 20 }, 200, 1],
    ['slow answer', { kind: 'slow-answer', delayMs: 20 }, 200, 1],
    ['twice', { kind: 'twice' }, 200, 2],
  ])('spoils one request and no other: %s', async (_name, fault, status, storedCount) => {
    spoil(fault)
    // An answer before the body is read may reach the client as a broken connection: that is the
    // fault.
    const first = await send()
    if (fault.kind === 'early-answer') expect([null, status]).toContain(first?.status ?? null)
    else expect(first?.status).toBe(status)
    expect(store.stored).toHaveLength(storedCount)
    expect((await send())?.headers.get('etag')).toBe(`"${sha256}"`)
    expect(store.stored.every((stored) => stored.sha256 === sha256)).toBe(true)
    expect(proxy.ledger.faults('')).toBe(1)
    expect(proxy.ledger.bodies('')).toHaveLength(2)
  })

  it('reads on after a refusal that comes before the body has', async () => {
    const refusing = createServer((incoming, outgoing) => {
      // As the store does: the answer first, the rest of the body after it.
      if (incoming.method === 'PATCH') outgoing.writeHead(403, { 'content-length': 2 }).write('no')
      else outgoing.end('read')
      incoming.resume().once('end', () => outgoing.end())
    }).listen(0, '127.0.0.1')
    await once(refusing, 'listening')
    onTestFinished(() => void refusing.close())
    proxy.setTarget(`http://127.0.0.1:${(refusing.address() as AddressInfo).port}`)
    proxy.setNetwork('', { ...FAST_NETWORK, totalBytesPerSecond: 100_000 })
    const line = connect(Number(new URL(proxy.origin).port), '127.0.0.1')
    onTestFinished(() => void line.destroy())
    const seen: string[] = []
    line.on('data', (bytes) => seen.push(bytes.toString()))
    const size = `Host: x\r\nContent-Length: ${body.length}`
    line.write(`PATCH ${partPath(1)} HTTP/1.1\r\n${size}\r\n\r\n`)
    line.write(body)
    await expect.poll(() => seen.join('')).toContain('HTTP/1.1 403')
    line.write('GET /next HTTP/1.1\r\nHost: x\r\n\r\n')
    await expect.poll(() => seen.join('')).toMatch(/HTTP\/1\.1 200[^]*read/)
  })

  it('names a time to come back', async () => {
    spoil({ kind: 'answer', status: 429, code: 'SlowDown', retryAfterS: 7 })
    const answer = await send()
    expect(answer?.headers.get('retry-after')).toBe('7')
    expect(answer?.text).toContain('<Code>SlowDown</Code>')
  })

  it('resets in the middle of the body', async () => {
    spoil({ kind: 'reset', afterBytes: 100_000 })
    expect(await send()).toBeNull()
    expect(store.stored).toEqual([])
    expect(proxy.ledger.receivedBytes('')).toBeGreaterThanOrEqual(100_000)
  })

  it('loses the answer of what was stored', async () => {
    spoil({ kind: 'lost-answer' })
    expect(await send()).toBeNull()
    expect(store.stored).toEqual([{ sizeBytes: body.length, sha256 }])
  })

  it.each(['before-body', 'after-body'] as const)('answers nothing at all: %s', async (when) => {
    spoil({ kind: 'black-hole', when })
    const giveUp = new AbortController()
    const sending = put(proxy.origin, partPath(1), body, { signal: giveUp.signal })
    await expect.poll(() => proxy.ledger.of('', 'part').length).toBe(1)
    if (when === 'after-body') await expect.poll(() => store.stored.length).toBe(1)
    giveUp.abort()
    expect(await sending).toBeNull()
    expect(store.stored).toHaveLength(when === 'after-body' ? 1 : 0)
    expect((await send())?.status).toBe(200)
  })

  it.each([
    ['missing', null],
    ['weak', `W/"${sha256}"`],
    ['wrong', '"0123456789abcdef"'],
  ] as const)('spoils the ETag: %s', async (how, eTag) => {
    spoil({ kind: 'etag', how })
    const answer = await send()
    expect(answer?.status).toBe(200)
    expect(answer?.headers.get('etag')).toBe(eTag)
    expect(store.stored).toEqual([{ sizeBytes: body.length, sha256 }])
  })

  it('shortens a body, and flips one bit of another', async () => {
    spoil({ kind: 'short', missingBytes: 1_000 })
    spoil({ kind: 'bit-flip', atByte: 200_000 })
    await send()
    await send()
    const flipped = Buffer.from(body)
    flipped[200_000] = (flipped[200_000] ?? 0) ^ 1
    expect(store.stored).toEqual([
      {
        sizeBytes: body.length - 1_000,
        sha256: createHash('sha256').update(body.subarray(0, -1_000)).digest('hex'),
      },
      { sizeBytes: body.length, sha256: createHash('sha256').update(flipped).digest('hex') },
    ])
  })

  it('changes answers: headers of everything, texts where requested', async () => {
    proxy.setChange('a', {
      headers: (headers) => ({ ...headers, 'x-changed': 'yes' }),
      hasText: (path) => path.endsWith('/2'),
      text: () => 'other words',
    })
    const plain = await put(proxy.origin, '/1', body, { device: 'a' })
    expect([plain?.headers.get('x-changed'), plain?.text]).toEqual(['yes', ''])
    const changed = await put(proxy.origin, '/2', body, { device: 'a' })
    expect([
      changed?.headers.get('x-changed'),
      changed?.headers.get('etag'),
      changed?.text,
    ]).toEqual(['yes', null, 'other words'])
    expect((await put(proxy.origin, '/2', body, { device: 'b' }))?.text).toBe('')
  })

  it('cuts a device off: what is under way hangs for ever, or goes on when the cut is one that connections outlive', async () => {
    const giveUp = new AbortController()
    const whole = Promise.withResolvers<void>()
    const cut = proxy.cutUntil('a', whole.promise, 'dead')
    const lost = put(proxy.origin, partPath(1), body, { device: 'a', signal: giveUp.signal })
    const elsewhere = await put(proxy.origin, partPath(1), body, { device: 'b' })
    expect(elsewhere?.status).toBe(200)
    await expect.poll(() => proxy.ledger.of('a', 'part')).toHaveLength(1)
    whole.resolve()
    const mendedAtMs = await cut
    expect((await put(proxy.origin, partPath(2), body, { device: 'a' }))?.status).toBe(200)
    const first = proxy.ledger.of('a', 'part').map(({ firstByteAtMs }) => firstByteAtMs)
    expect(first[0]).toBeNull()
    expect(first[1]).toBeGreaterThanOrEqual(mendedAtMs)
    giveUp.abort()
    expect(await lost).toBeNull()
    const mended = Promise.withResolvers<void>()
    const outlived = proxy.cutUntil('a', mended.promise, 'outlived')
    const held = put(proxy.origin, partPath(3), body, { device: 'a' })
    await expect.poll(() => proxy.ledger.of('a', 'part')).toHaveLength(3)
    mended.resolve()
    await outlived
    expect((await held)?.status).toBe(200)
  })

  it('keeps the faults of one browser from another', async () => {
    proxy.add({
      match: ({ device }) => device === 'a',
      fault: { kind: 'answer', status: 500, code: 'InternalError' },
      times: 1,
    })
    expect((await send('b'))?.status).toBe(200)
    expect((await send('a'))?.status).toBe(500)
    expect([proxy.ledger.faults('a'), proxy.ledger.faults('b')]).toEqual([1, 0])
  })

  it('slows the network down, in all and for each connection', async () => {
    const timed = async (count: number): Promise<number> => {
      const fromMs = performance.now()
      await Promise.all(
        Array.from({ length: count }, (_, index) => put(proxy.origin, partPath(index + 1), body)),
      )
      return performance.now() - fromMs
    }
    proxy.setNetwork('', {
      latencyMs: 0,
      totalBytesPerSecond: null,
      connectionBytesPerSecond: 1_000_000,
    })
    expect(await timed(2)).toBeGreaterThan(250)
    proxy.setNetwork('', {
      latencyMs: 30,
      totalBytesPerSecond: 1_000_000,
      connectionBytesPerSecond: null,
    })
    expect(await timed(2)).toBeGreaterThan(550)
    expect(proxy.ledger.mostConcurrentParts('')).toBe(2)
  })

  it('lets the first parts through at once, and what is in flight when the network gets fast', async () => {
    proxy.setNetwork('', {
      latencyMs: 0,
      totalBytesPerSecond: 10_000,
      connectionBytesPerSecond: null,
      quickParts: 1,
    })
    const crawling = put(proxy.origin, partPath(2), body)
    expect((await put(proxy.origin, partPath(1), body))?.status).toBe(200)
    expect(proxy.ledger.receivedBytes('')).toBeLessThan(2 * body.length)
    proxy.setNetwork('', FAST_NETWORK)
    expect((await crawling)?.status).toBe(200)
  })

  it('cuts off parts alone', async () => {
    const mended = Promise.withResolvers<void>()
    const cut = proxy.cutUntil('', mended.promise, 'outlived', 'parts')
    const held = send()
    expect((await fetch(`${proxy.origin}/other`)).status).toBe(200)
    expect(proxy.ledger.receivedBytes('')).toBe(0)
    mended.resolve()
    await cut
    expect((await held)?.status).toBe(200)
  })

  it('looks like a dead network while the server is away', async () => {
    await store.close()
    expect(await send()).toBeNull()
    store = await startPlainStore()
    proxy.setTarget(store.origin)
    expect((await send())?.status).toBe(200)
  })
})
