import { expect, it } from 'vitest'
import { endedFetchOf, type BackgroundFetchRegistration } from '#src/lib/background-fetch.ts'
import {
  fetchedParts,
  fetchIdOf,
  uploadIdOf,
} from '#src/local/uploads/adapters/background-fetch.ts'

const URL_OF_PART = 'https://onecut.example/v1/parts/upload-1'
const SHA256 = 'uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek='

function requestOf(partNumber: number): Request {
  return new Request(`${URL_OF_PART}/${partNumber}?expires=1`, {
    method: 'PUT',
    body: 'part',
    headers: { 'x-amz-checksum-sha256': SHA256 },
  })
}

/** An answer as fetch gives it: with the URL that it came from. */
function answerOf(url: string, init: ResponseInit): Response {
  return Object.defineProperty(new Response('', init), 'url', { value: url })
}

function ended(
  answers: readonly ((url: string) => Promise<Response>)[],
): BackgroundFetchRegistration {
  return Object.assign(new EventTarget(), {
    id: fetchIdOf('local-upload'),
    uploaded: 0,
    downloaded: 0,
    result: 'failure' as const,
    failureReason: 'bad-status',
    abort: async () => false,
    matchAll: async () =>
      answers.map((answer, index) => {
        const request = requestOf(index + 1)
        return { request, responseReady: answer(request.url) }
      }),
  })
}

it('SAF-06 counts only parts of which the storage itself says that it has them', async () => {
  const stored = async (url: string) => answerOf(url, { headers: { ETag: '"etag-1"' } })
  const portal = async (url: string) =>
    answerOf(url, { headers: { ETag: '"page"', 'Content-Type': 'text/html' } })
  const redirected = async () =>
    answerOf('https://portal.example/', { headers: { ETag: '"page"' } })
  const unmarked = async (url: string) => answerOf(url, { status: 200 })
  const refused = async (url: string) => answerOf(url, { status: 403, headers: { ETag: '"x"' } })
  const unanswered = async () => Promise.reject(new TypeError('no answer'))
  expect(
    await fetchedParts(ended([stored, portal, redirected, unmarked, refused, unanswered])),
  ).toEqual([{ partNumber: 1, eTag: 'etag-1', sha256: SHA256 }])
})

it('SCL-02 reads of a part that an object store took its number and its hash as the store compared it', async () => {
  const url = 'https://files.example/onecut/uploads/u?partNumber=7&uploadId=x'
  const hex = Buffer.from(SHA256, 'base64').toString('hex')
  const headers = { 'x-amz-content-sha256': hex }
  const request = new Request(url, { method: 'PUT', body: 'part', headers })
  const responseReady = Promise.resolve(answerOf(url, { headers: { ETag: '"etag-7"' } }))
  const registration = { ...ended([]), matchAll: async () => [{ request, responseReady }] }
  expect(await fetchedParts(registration as unknown as BackgroundFetchRegistration)).toEqual([
    { partNumber: 7, eTag: 'etag-7', sha256: SHA256 },
  ])
})

it('SAF-06 knows its own registrations by their id, and the events that end them', () => {
  expect(uploadIdOf(fetchIdOf('local-upload'))).toBe('local-upload')
  expect(uploadIdOf('of-something-else')).toBeNull()
  const registration = ended([])
  expect(endedFetchOf(Object.assign(new Event('backgroundfetchfail'), { registration }))).toBe(
    registration,
  )
  expect(endedFetchOf(new Event('sync'))).toBeNull()
})
