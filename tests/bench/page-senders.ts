import AwsS3 from '@uppy/aws-s3'
import Uppy from '@uppy/core'
import type { components } from '#openapi/schema.gen.ts'

/**
 * Runs in the page that is measured: other ways to send a file, to compare the app with. All use
 * the server's part plan.
 */
type UploadRequest = components['schemas']['UploadRequest']
type Part = UploadRequest['upload']['parts'][number]
interface Answer {
  readonly uploadRequest: UploadRequest
}

declare global {
  interface Window {
    /** @param checksums of all parts in base64, for a store that wants them before it takes any */
    benchSenders: Record<
      'bare' | 'hashing' | 'uppy',
      (file: File, checksums: readonly string[]) => Promise<string>
    >
  }
}

const SLOTS = 5
const json = { 'content-type': 'application/json' }

window.benchSenders = {
  /** Five XHRs, nothing else: no hash, no rows, no watchdog. Resolves with the server's id. */
  bare: (file, checksums) =>
    sendFiveAtOnce(file, async ({ url, headers }, body) => put(url, body, headers), checksums),

  /** The same, but every part is read and hashed first: what integrity alone costs. */
  hashing: (file) =>
    sendFiveAtOnce(file, async ({ url }, body) => {
      const sha256 = await crypto.subtle.digest('SHA-256', await body.arrayBuffer())
      const checksum = btoa(String.fromCharCode(...new Uint8Array(sha256)))
      return await put(url, body, { 'x-amz-checksum-sha256': checksum })
    }),

  /** Uppy's multipart plugin, five parts at a time. Resolves with the server's id. */
  async uppy(file) {
    // Before Uppy begins, since it cuts the file before it creates the upload.
    const upload = await create(file, [])
    const uppy = new Uppy({ autoProceed: false }).use(AwsS3, {
      limit: SLOTS,
      shouldUseMultipart: true,
      getChunkSize: () => upload.upload.parts[0]?.partSize ?? 0,
      createMultipartUpload: async () => ({ uploadId: upload._id, key: upload._id }),
      signPart: async (_file, { partNumber }) => {
        const url = upload.upload.parts[partNumber - 1]?.presignedUrl
        if (url == null) throw new Error(`no address for part ${partNumber}`)
        return { method: 'PUT', url: new URL(url, location.origin).href }
      },
      listParts: async () => [],
      abortMultipartUpload: async () => undefined,
      completeMultipartUpload: async (_file, { uploadId, parts }) => {
        await complete(
          uploadId ?? '',
          parts.map((part) => ({
            partNumber: part.PartNumber ?? 0,
            eTag: (part.ETag ?? '').replaceAll('"', ''),
          })),
        )
        return {}
      },
    })
    uppy.addFile({ name: file.name, type: file.type, data: file })
    const result = await uppy.upload()
    const failed = result?.failed?.[0]
    if (failed !== undefined) throw new Error(`Uppy failed: ${failed.error ?? ''}`)
    return upload._id
  },
}

async function sendFiveAtOnce(
  file: File,
  send: (part: PartRange, body: Blob) => Promise<string>,
  checksums: readonly string[] = [],
): Promise<string> {
  const upload = await create(file, checksums)
  const plan = ranges(upload.upload.parts)
  const done: { partNumber: number; eTag: string }[] = []
  let next = 0
  const slot = async (): Promise<void> => {
    for (let part = plan[next++]; part !== undefined; part = plan[next++])
      done.push({
        partNumber: part.partNumber,
        eTag: await send(part, file.slice(part.start, part.end)),
      })
  }
  await Promise.all(Array.from({ length: SLOTS }, slot))
  await complete(upload._id, done)
  return upload._id
}

async function create(file: File, checksums: readonly string[]): Promise<UploadRequest> {
  const { uploadRequest } = await call<Answer>('POST', '/v2/upload-requests', {
    uploadRequest: {
      idempotencyKey: crypto.randomUUID(),
      upload: {
        provider: 's3-multipart',
        metadata: { clientFilename: file.name, clientFileSize: file.size },
      },
    },
  })
  const parts = await all(uploadRequest, checksums)
  return { ...uploadRequest, upload: { ...uploadRequest.upload, parts } }
}

/**
 * All parts of a fresh upload: the answer leaves some out when there are more than 50, and has no
 * address of a store that wants checksums.
 */
async function all({ _id, upload }: UploadRequest, checksums: readonly string[]): Promise<Part[]> {
  const parts = checksums.length === 0 ? [...upload.parts] : []
  const listed = new Set(parts.map((part) => part.partNumber))
  const left = Array.from({ length: upload.partCount }, (_, index) => index + 1).filter(
    (partNumber) => !listed.has(partNumber),
  )
  for (let from = 0; from < left.length; from += 100) {
    const partNumbers = left.slice(from, from + 100)
    const path = `/v1/upload-requests/${_id}/part-urls`
    const bound = partNumbers.flatMap((partNumber) => {
      const checksumSha256 = checksums[partNumber - 1]
      return checksumSha256 === undefined ? [] : [{ partNumber, checksumSha256 }]
    })
    const body = { partNumbers, ...(bound.length === 0 ? {} : { checksums: bound }) }
    parts.push(...(await call<{ parts: Part[] }>('POST', path, body)).parts)
  }
  return parts.toSorted((a, b) => a.partNumber - b.partNumber)
}

async function complete(
  id: string,
  parts: readonly { partNumber: number; eTag: string }[],
): Promise<void> {
  await call<Answer>('PATCH', `/v1/upload-requests/${id}`, {
    uploadRequest: { upload: { parts: parts.toSorted((a, b) => a.partNumber - b.partNumber) } },
  })
}

async function call<Body>(method: string, path: string, body: unknown): Promise<Body> {
  const token = /(?:^|; )XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? ''
  const answer = await fetch(`/editors/api${path}`, {
    method,
    headers: { ...json, 'x-xsrf-token': decodeURIComponent(token) },
    body: JSON.stringify(body),
  })
  if (!answer.ok)
    throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as Body
}

interface PartRange {
  readonly partNumber: number
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly start: number
  readonly end: number
}

function ranges(parts: readonly Part[]): readonly PartRange[] {
  let start = 0
  return parts.map(({ partNumber, partSize, presignedUrl, headers = {} }) => {
    const range = { partNumber, url: presignedUrl ?? '', headers, start, end: start + partSize }
    start = range.end
    return range
  })
}

function put(url: string, body: Blob, headers: PartRange['headers']): Promise<string> {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest()
    xhr.open('PUT', url)
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value)
    xhr.upload.onprogress = () => undefined
    xhr.onload = () => {
      if (xhr.status === 200) resolve((xhr.getResponseHeader('ETag') ?? '').replaceAll('"', ''))
      else reject(new Error(`part: ${xhr.status}`))
    }
    xhr.onerror = () => reject(new Error('part: no answer'))
    xhr.send(body)
  })
}
