import { expect, it } from 'vitest'
import { boundaryOf, MultipartFault, readMultipart } from '#workers/service/multipart.ts'

const BOUNDARY = '----WebKitFormBoundaryX'
const VIDEO = 'a\r\n--b\r\r\n\r\n----WebKitFormBoundar\r\n'
const BODY = [
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="title"\r\n\r\n`,
  `A title\r\n--${BOUNDARY}\r\n`,
  'Content-Disposition: form-data; name="video"; filename="b%22each dĺy.mp4"\r\n',
  `Content-Type: video/mp4\r\n\r\n${VIDEO}\r\n--${BOUNDARY}\r\n`,
  'Content-Disposition: form-data; name="video"; filename="empty.mov"\r\n',
  `Content-Type: \r\n\r\n\r\n--${BOUNDARY}--\r\n`,
].join('')
const WHOLE = new TextEncoder().encode(BODY)
const READ = [
  { name: 'title', fileName: null, type: '', text: 'A title' },
  { name: 'video', fileName: 'b"each dĺy.mp4', type: 'video/mp4', text: VIDEO },
  { name: 'video', fileName: 'empty.mov', type: '', text: '' },
]

it('PHO-03: reads every part, wherever its chunks are split', async () => {
  for (let at = 0; at <= WHOLE.length; at += 1)
    expect(await read([WHOLE.subarray(0, at), WHOLE.subarray(at)])).toEqual(READ)
})

it('PHO-03: reads every part byte by byte', async () => {
  expect(await read(Array.from(WHOLE, (byte) => Uint8Array.of(byte)))).toEqual(READ)
})

it('PHO-03: a body that ends too early is refused, wherever that is', async () => {
  const end = WHOLE.length - '--\r\n'.length
  for (let at = 0; at <= end; at += 1)
    await expect(read([WHOLE.subarray(0, at)])).rejects.toThrow(MultipartFault)
})

it('PHO-03: a preamble is skipped, and what is no part is refused', async () => {
  const preamble = new TextEncoder().encode('read by no one\r\n')
  expect(await read([preamble, WHOLE])).toEqual(READ)
  const odd = new TextEncoder().encode(`--${BOUNDARY}xx`)
  await expect(read([odd])).rejects.toThrow(MultipartFault)
  const endless = new TextEncoder().encode(`--${BOUNDARY}\r\n${'x'.repeat(20_000)}`)
  await expect(read([endless])).rejects.toThrow(/too long/)
})

it('PHO-03: finds the boundary of a form', () => {
  expect(boundaryOf(`multipart/form-data; boundary=${BOUNDARY}`)).toBe(BOUNDARY)
  expect(boundaryOf('multipart/form-data; charset=utf-8; boundary="a b"')).toBe('a b')
  expect(boundaryOf('application/x-www-form-urlencoded')).toBeNull()
  expect(boundaryOf(null)).toBeNull()
})

async function read(chunks: readonly Uint8Array<ArrayBuffer>[]) {
  const parts: { name: string; fileName: string | null; type: string; text: string }[] = []
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(chunk.slice())
      controller.close()
    },
  })
  await readMultipart(body, BOUNDARY, async (head) => {
    const bytes: number[] = []
    return {
      write: async (chunk) => void bytes.push(...chunk),
      close: async () =>
        void parts.push({ ...head, text: new TextDecoder().decode(Uint8Array.from(bytes)) }),
      abort: async () => undefined,
    }
  })
  return parts
}
