import { HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, it, vi } from 'vitest'
import { outlast } from '#server/object-store/outlast.ts'
import { createS3Client } from '#server/object-store/s3/client.ts'
import { createObjects } from '#server/object-store/s3/objects.ts'
import { watchOutages } from '#server/object-store/s3/outages.ts'
import { isUnavailable, unavailable } from '#server/problems.ts'
import { patience } from '#tests/setup/patience.ts'

let answer: RequestListener
let server: Server
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

/**
 * A client of a store that does what `answer` says; `quickMs` is for what people wait for, and
 * `againMs` for how long it is sent again.
 */
async function openClient(quickMs = patience(20), againMs = 0) {
  server = createServer((incoming, outgoing) => answer(incoming, outgoing))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const outcomes: string[] = []
  const place = {
    bucket: 'onecut',
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    publicEndpoint: null,
    region: 'us-east-1',
    forcePathStyle: true,
    accessKeyId: 'key',
    secretAccessKey: 'secret',
    checksums: 'payload',
  } as const
  const client = createS3Client(place, (call, outcome) => outcomes.push(`${call} ${outcome}`))
  const onChange = vi.fn<(error: Error | null) => void>()
  const options = { bucket: 'onecut', onChange, askMs: 0, quickMs, againMs }
  const { isAway } = watchOutages(client, options)
  const head = () => client.send(new HeadObjectCommand({ Bucket: 'onecut', Key: 'a' }))
  return { client, isAway, head, onChange, outcomes }
}

const busy: RequestListener = (_incoming, outgoing) => {
  const xml = '<?xml version="1.0"?><Error><Code>SlowDown</Code></Error>'
  outgoing.writeHead(503, { 'content-type': 'application/xml' }).end(xml)
}
const well: RequestListener = (_incoming, outgoing) => void outgoing.writeHead(200).end()

it.each([
  ['is overloaded', busy],
  ['has a balancer that does not reach it', (_in, out) => void out.writeHead(502).end('<html>No')],
  ['has a balancer with numbers of its own', (_in, out) => void out.writeHead(522).end('<html>No')],
  ['breaks connections off', (incoming) => void incoming.socket.destroy()],
] satisfies [string, RequestListener][])(
  'SCL-04 a call of a store that %s is refused as unavailable, and the store counts as away until it answers',
  async (_name, away) => {
    answer = away
    const { head, isAway, onChange } = await openClient()
    expect(await isAway()).toBe(false)
    await expect(head()).rejects.toSatisfy(isUnavailable)
    expect(await isAway()).toBe(true)
    answer = well
    expect(await isAway()).toBe(false)
    await head()
    expect(onChange.mock.calls).toEqual([[expect.any(Error)], [null]])
  },
)

it('SCL-04 a call of a store that comes back in some seconds is answered, and one with bytes is not sent again', async () => {
  const { client, head, onChange } = await openClient(patience(60), patience(60))
  answer = busy
  const put = new PutObjectCommand({ Bucket: 'onecut', Key: 'a', Body: 'a' })
  await expect(client.send(put)).rejects.toSatisfy(isUnavailable)
  let refused = 0
  // More often than the client tries by itself.
  answer = (incoming, outgoing) => (++refused > 4 ? well : busy)(incoming, outgoing)
  await head()
  expect(onChange.mock.calls).toEqual([[expect.any(Error)], [null]])
})

it('SCL-04 refusals of a store that is there stay what they are, and end an outage', async () => {
  answer = busy
  const { head, isAway, outcomes } = await openClient()
  await expect(head()).rejects.toSatisfy(isUnavailable)
  answer = (_incoming, outgoing) => void outgoing.writeHead(404).end()
  await expect(head()).rejects.toMatchObject({ name: 'NotFound' })
  expect(await isAway()).toBe(false)
  expect(outcomes).toEqual([
    expect.stringMatching(/^HeadObject (?!Problem)/),
    'HeadObject NotFound',
  ])
})

it('SCL-04 a store that says nothing counts as away; a call that carries bytes may take longer than one that a person waits for', async () => {
  const { client, head, isAway } = await openClient(50)
  const asked = Promise.withResolvers<() => void>()
  answer = (incoming, outgoing) => {
    incoming.resume()
    asked.resolve(() => void outgoing.writeHead(200).end())
  }
  const put = client.send(new PutObjectCommand({ Bucket: 'onecut', Key: 'a', Body: 'a' }))
  const finish = await asked.promise
  answer = () => undefined
  await expect(head()).rejects.toSatisfy(isUnavailable)
  expect(await isAway()).toBe(true)
  finish()
  await put
})

it('SCL-04 bytes of a file that break off end as a call does that finds no store', async () => {
  const { client } = await openClient()
  const { read } = createObjects(client, 'onecut')
  answer = (_incoming, outgoing) => {
    outgoing.writeHead(200, { 'content-length': '8' })
    outgoing.write('half', () => void outgoing.socket?.destroy())
  }
  await expect(text(await read('a'))).rejects.toSatisfy(isUnavailable)
  answer = (_incoming, outgoing) => void outgoing.writeHead(200).end('complete')
  expect(await text(await read('a'))).toBe('complete')
})

it('SCL-04 work that an outage interrupts is done again when the store is back', async () => {
  answer = well
  await openClient()
  const away = [true, true, false]
  const isAway = vi.fn<() => Promise<boolean>>(async () => away.shift() ?? false)
  let tries = 0
  const work = async (): Promise<number> => {
    tries += 1
    if (tries < 3) throw unavailable()
    return tries
  }
  expect(await outlast({ isAway }, new AbortController().signal, work, 1)).toBe(3)
  expect(isAway).toHaveBeenCalledTimes(4)
})

it('SCL-04 work that fails otherwise, or is not wanted any more, does not wait', async () => {
  answer = well
  await openClient()
  const isAway = async (): Promise<boolean> => true
  const stop = new AbortController()
  const wrong = async (): Promise<never> => await Promise.reject(new Error('wrong'))
  await expect(outlast({ isAway }, stop.signal, wrong, 1)).rejects.toThrow('wrong')
  const waiting = outlast({ isAway }, stop.signal, async () => {
    stop.abort(new Error('stopped'))
    throw unavailable()
  })
  await expect(waiting).rejects.toThrow('stopped')
})
