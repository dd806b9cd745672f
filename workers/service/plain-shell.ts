/**
 * [Note: plain look] A user who chose so for this device sees 'Planner' with an icon of its own in
 * tabs, among the open apps and on the home screen. The choice is in the device's database, because
 * it holds before anybody has signed in. The service worker writes it into the page that it answers
 * with, so that not even the first picture shows the usual name, and browsers that install the app
 * find the plain manifest; the page follows the choice while it stands (`use-plain-look.ts`).
 */
import { OUTSIDE_LOOKS } from '#src/config/outside-look.ts'
import { readPlainMark } from '#src/local/db/plain-mark.ts'

const { usual, plain } = OUTSIDE_LOOKS
const CHANGES: readonly (readonly [string, string])[] = [
  [`<title>${usual.name}</title>`, `<title>${plain.name}</title>`],
  [`content="${usual.name}"`, `content="${plain.name}"`],
  [usual.manifest, plain.manifest],
  [usual.icon, plain.icon],
  [usual.favicon, plain.favicon],
  [usual.touchIcon, plain.touchIcon],
]

/** The head of the app's page as a device sees it whose user is discreet. */
export function withPlainHead(html: string): string {
  const end = html.indexOf('</head>')
  const head = CHANGES.reduce(
    (text, [from, to]) => text.replaceAll(from, to),
    html.slice(0, Math.max(end, 0)),
  ).replace(/<meta\s+name="description"[^>]*>/, '')
  return head + html.slice(Math.max(end, 0))
}

/** The app's page as this device wants it. */
export async function inChosenLook(shell: Response): Promise<Response> {
  if (!(await readPlainMark(caches))) return shell
  const headers = new Headers(shell.headers)
  for (const name of ['content-length', 'content-encoding', 'etag']) headers.delete(name)
  const { status, statusText } = shell
  return new Response(withPlainHead(await shell.text()), { status, statusText, headers })
}
