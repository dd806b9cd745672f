import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import type { ObjectStore } from '#server/object-store/port.ts'
import { sendOutput } from '#server/routes/downloads.ts'

const MIB = 1024 ** 2
const OUTPUT = {
  id: 'an-output',
  objectKey: 'outputs/task/1/scene.mp4',
  contentType: 'video/mp4',
  fileName: 'scène.mp4',
} as Parameters<typeof sendOutput>[2]

/** A store elsewhere with one object, which names itself and how it is shown. */
function storeOf(sizeBytes: number): ObjectStore {
  return {
    head: async () => ({ sizeBytes }),
    read: async () => Readable.from([Buffer.alloc(10)]),
    publicUrl: async (key: string, shown: object, seconds: number) =>
      `https://files.example/${key}?${JSON.stringify(shown)}&${seconds}`,
  } as unknown as ObjectStore
}

const send = async (
  headers: Readonly<Record<string, string>>,
  {
    sizeBytes = 2 * MIB,
    method = 'GET',
    mayLead = true,
  }: { sizeBytes?: number; method?: string; mayLead?: boolean } = {},
): Promise<Response> => {
  const asked = { method, headers } as Parameters<typeof sendOutput>[1]
  const shown = { disposition: 'attachment', mayLead } as const
  return (await sendOutput({ store: storeOf(sizeBytes) }, asked, OUTPUT, shown)).raw
}

it.each([
  [{ 'sec-fetch-mode': 'navigate' }],
  [{ 'sec-fetch-mode': 'no-cors', range: 'bytes=0-' }],
  [{}],
])(
  'SCL-01 leads a browser that loads a large file for itself to the store: %j',
  async (headers) => {
    const answer = await send(headers)
    expect(answer.status).toBe(302)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const location = decodeURI(answer.headers.get('location') ?? '')
    expect(location).toContain('https://files.example/outputs/task/1/scene.mp4?')
    expect(location).toContain('"contentType":"video/mp4"')
    expect(location).toContain("filename*=UTF-8''scène.mp4")
    expect(location).toMatch(/&300$/)
  },
)

it('SCL-01 a player, which asks for ranges as long as it is open, has four hours', async () => {
  const asked = { method: 'GET', headers: { 'sec-fetch-mode': 'no-cors' } }
  const shown = { disposition: 'inline', mayLead: true } as const
  const context = asked as unknown as Parameters<typeof sendOutput>[1]
  const { raw } = await sendOutput({ store: storeOf(2 * MIB) }, context, OUTPUT, shown)
  expect(raw.headers.get('location')).toMatch(/&14400$/)
})

it.each([
  ['a script of the app', { 'sec-fetch-mode': 'cors', 'x-user-id': 'me' }, {}],
  ['a script of a browser of before', { 'x-user-id': 'me' }, {}],
  ['a small file', { 'sec-fetch-mode': 'no-cors' }, { sizeBytes: MIB }],
  ['a question for its size', { 'sec-fetch-mode': 'navigate' }, { method: 'HEAD' }],
  ['a service that may not follow', {}, { mayLead: false }],
])('SCL-01 sends the bytes itself to %s', async (_who, headers, options) => {
  const answer = await send(headers, options)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('etag')).toBe('"an-output"')
})
