import type { RequestFacts, RequestKind } from './faults.ts'

const PART = /^\/editors\/api\/v1\/parts\/([0-9a-f-]{36})\/(\d+)(?:\?|$)/
const UPLOAD = /^\/editors\/api\/v1\/upload-requests\/([0-9a-f-]{36})(?:\?|$)/
const CREATE = /^\/editors\/api\/v2\/upload-requests(?:\?|$)/
const KIND_BY_METHOD: Readonly<Record<string, RequestKind>> = {
  GET: 'sign',
  PATCH: 'complete',
  DELETE: 'abort',
}

/** Reads the kind of call and its device from method, path and cookies. */
export function readFacts(
  method: string,
  path: string,
  cookie: string,
): Omit<RequestFacts, 'attempt'> {
  const device = /(?:^|;\s*)fault-device=([\w-]+)/.exec(cookie)?.[1] ?? ''
  const part = method === 'PUT' || method === 'HEAD' ? PART.exec(path) : null
  if (part !== null)
    return {
      device,
      kind: method === 'PUT' ? 'part' : 'storage-check',
      uploadId: part[1] ?? null,
      partNumber: Number(part[2]),
    }
  const upload = UPLOAD.exec(path)
  if (upload !== null)
    return {
      device,
      kind: KIND_BY_METHOD[method] ?? 'other',
      uploadId: upload[1] ?? null,
      partNumber: null,
    }
  return {
    device,
    kind: method === 'POST' && CREATE.test(path) ? 'create' : 'other',
    uploadId: null,
    partNumber: null,
  }
}
