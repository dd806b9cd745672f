import { createHash } from 'node:crypto'

/** How a Content-Security-Policy names a script or a style that stands in its document. */
export function policyHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
