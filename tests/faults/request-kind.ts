import type { IncomingHttpHeaders } from 'node:http'
import type { RequestFacts, RequestKind } from './faults.ts'

const PART = /^\/editors\/api\/v1\/parts\/([0-9a-f-]{36})\/(\d+)(?:\?|$)/
const UPLOAD = /^\/editors\/api\/v1\/upload-requests\/([0-9a-f-]{36})(?:\?|$)/
const URLS = /^\/editors\/api\/v1\/upload-requests\/([0-9a-f-]{36})\/part-urls(?:\?|$)/
const PING = /^\/editors\/api\/v1\/capabilities(?:\?|$)/
const CREATE = /^\/editors\/api\/v2\/upload-requests(?:\?|$)/
const UPLOAD_CALLS: Readonly<Record<string, RequestKind>> = {
  GET: 'sign',
  PATCH: 'complete',
  DELETE: 'abort',
}
const PART_CALLS: Readonly<Record<string, RequestKind>> = { PUT: 'part', PATCH: 'append' }

/** Reads the kind of call and its device from method, path and headers. */
export function readFacts(
  method: string,
  path: string,
  headers: IncomingHttpHeaders,
): Omit<RequestFacts, 'attempt'> {
  const device = /(?:^|;\s*)fault-device=([\w-]+)/.exec(headers.cookie ?? '')?.[1] ?? ''
  const offset = Number(headers['upload-offset'] ?? 0)
  const facts = (
    kind: RequestKind,
    uploadId: string | null = null,
    partNumber: number | null = null,
  ): Omit<RequestFacts, 'attempt'> => ({ device, kind, uploadId, partNumber, offset })
  const part = PART.exec(path)
  if (part !== null) {
    const isOffset = method === 'HEAD' && headers['x-amz-checksum-sha256'] !== undefined
    const looked = isOffset ? 'offset' : 'storage-check'
    const kind = method === 'HEAD' ? looked : (PART_CALLS[method] ?? 'other')
    return facts(kind, part[1], Number(part[2]))
  }
  const upload = UPLOAD.exec(path)
  if (upload !== null) return facts(UPLOAD_CALLS[method] ?? 'other', upload[1])
  const urls = method === 'POST' ? URLS.exec(path) : null
  if (urls !== null) return facts('urls', urls[1])
  if (method === 'GET' && PING.test(path)) return facts('ping')
  return facts(method === 'POST' && CREATE.test(path) ? 'create' : 'other')
}
