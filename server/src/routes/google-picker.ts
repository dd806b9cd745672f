/**
 * `/editors/connect/google-picker?externalAuthId=…`: the document in which a person chooses a video
 * in Google Drive, in a frame of the app, where the operator wants it so. It is the only one that
 * loads Google's script and gets a token, which ends within the hour; it has a policy of its own.
 * It tells the page around it, by `postMessage` to the same origin, `{ drivePicker: 'ready' |
 * 'unloaded' | 'canceled' | { refusal } | { id } }`.
 */
import { Hono } from 'hono'
import * as v from 'valibot'
import type { WithUser } from '#server/context.ts'
import type { Deps } from '#server/deps.ts'
import { problemAnswer } from '#server/http/problem-answer.ts'
import { freshToken } from '#server/operations/external-auths/tokens.ts'
import { requirePermission } from '#server/policies/require-permission.ts'
import { Problem } from '#server/problems.ts'
import { policyHash } from './policy-hash.ts'
import { createBrowserIdentify } from './session-cookies.ts'

const PATH = '/editors/connect/google-picker'
const GOOGLE_JS = 'https://apis.google.com/js/api.js'

/** What the script of the document needs. */
type Given =
  | { readonly token: string; readonly apiKey: string; readonly appId: string }
  | { readonly refusal: string }

export function createGooglePicker(deps: Deps): Hono {
  const app = new Hono()
  const identify = createBrowserIdentify(deps)
  app.get(PATH, async (c) => {
    const frame = deps.settings.googleDrive?.pickerFrame ?? null
    const externalAuthId = c.req.query('externalAuthId') ?? ''
    const identity = await identify(c)
    if (frame === null || identity === null || !v.is(v.pipe(v.string(), v.uuid()), externalAuthId))
      return problemAnswer(
        new Problem('request/not-found', 'There is nothing here.'),
        deps.newId(),
        deps.log,
      )
    const { user } = identity
    const given = await tokenOf(deps, { user, externalAuthId })
    return c.html(pageOf('token' in given ? { ...frame, ...given } : given), 200, {
      'cache-control': 'no-store',
      'content-security-policy': POLICY,
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'SAMEORIGIN',
    })
  })
  return app
}

/** A token for the picker, or why there is none, in a sentence. */
async function tokenOf(
  deps: Deps,
  { user, externalAuthId }: WithUser & { readonly externalAuthId: string },
): Promise<{ readonly token: string } | { readonly refusal: string }> {
  try {
    requirePermission(user, 'create:uploadRequestGoogleDrivePicker')
    return { token: await freshToken(deps, { externalAuthId, userId: user.id }) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { refusal: error.message }
  }
}

const pageOf = (given: Given): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Google Drive</title></head>
<body>
<noscript><p>This needs JavaScript.</p></noscript>
<script id="given" type="application/json">${JSON.stringify(given).replaceAll('<', String.raw`\u003c`)}</script>
${'token' in given ? `<script src="${GOOGLE_JS}"></script>` : ''}
<script>${SCRIPT}</script></body></html>`

const SCRIPT = `
const { token, apiKey, appId, refusal } = JSON.parse(document.querySelector('#given').textContent)
function say(drivePicker) {
  if (parent !== window) parent.postMessage({ drivePicker }, location.origin)
}
function show() {
  const { picker } = google
  const hear = ({ action, docs }) => {
    if (action === picker.Action.PICKED) say({ id: docs[0].id })
    if (action === picker.Action.CANCEL) say('canceled')
  }
  new picker.PickerBuilder()
    .setAppId(appId)
    .setDeveloperKey(apiKey)
    .setOAuthToken(token)
    .setOrigin(location.origin)
    .setSize(innerWidth, innerHeight)
    .addView(new picker.DocsView(picker.ViewId.DOCS_VIDEOS))
    .setCallback(hear)
    .build()
    .setVisible(true)
  say('ready')
}
if (refusal) say({ refusal })
else if (!window.gapi) say('unloaded')
else gapi.load('picker', { callback: show, onerror: () => say('unloaded') })
`

// As Google's own example of a policy for its picker; its script writes styles into the document.
const POLICY = [
  "default-src 'none'",
  `script-src ${policyHash(SCRIPT)} https://apis.google.com`,
  "style-src 'unsafe-inline'",
  'frame-src https://docs.google.com https://drive.google.com',
  'img-src https://*.googleusercontent.com https://*.gstatic.com',
  'font-src https://fonts.gstatic.com',
  'connect-src https://*.googleapis.com',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ')
