/**
 * `/editors/connect/google-picker?externalAuthId=…`: the document in which a person chooses a video
 * in Google Drive, in a frame of the app, where the operator wants it so. It is the only one that
 * loads Google's script and gets a token, which ends within the hour; it has a policy of its own.
 * It tells the page around it, by `postMessage` to its origin alone, `{ drivePicker: 'ready' |
 * 'unloaded' | 'canceled' | { refusal } | { id } }`.
 */
import * as v from 'valibot'
import type { UserCtx } from '#server/context.ts'
import type { Deps } from '#server/deps.ts'
import { freshToken } from '#server/operations/accounts/external-auths/tokens.ts'
import { requirePermission } from '#server/policies/require-permission.ts'
import { Problem } from '#server/problems.ts'
import { appAttribute, APP_ORIGIN_SCRIPT, type FramePlace } from '#server/framed.ts'
import type { FrameDocument } from './frame-documents.ts'
import { policyHash } from './policy-hash.ts'

const PATH = '/editors/connect/google-picker'
const GOOGLE_JS = 'https://apis.google.com/js/api.js'

/** What the script of the document needs. */
type Given =
  | { readonly token: string; readonly apiKey: string; readonly appId: string }
  | { readonly refusal: string }

export function googlePicker({ settings }: Pick<Deps, 'settings'>): FrameDocument {
  const frame = settings.googleDrive?.pickerFrame ?? null
  return {
    path: PATH,
    isOffered: frame !== null,
    open: async (ctx, c, place) => {
      const externalAuthId = c.req.query('externalAuthId') ?? ''
      if (frame === null || !v.is(v.pipe(v.string(), v.uuid()), externalAuthId))
        throw new Problem('request/not-found', 'There is nothing here.')
      const given = await tokenOf(ctx, externalAuthId)
      const html = pageOf('token' in given ? { ...frame, ...given } : given, place)
      return { html, policy: POLICY }
    },
  }
}

/** A token for the picker, or why there is none, in a sentence. */
async function tokenOf(
  ctx: UserCtx,
  externalAuthId: string,
): Promise<{ readonly token: string } | { readonly refusal: string }> {
  try {
    requirePermission(ctx.user, 'create:uploadRequestGoogleDrivePicker')
    return { token: await freshToken(ctx, { externalAuthId, userId: ctx.user.id }) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { refusal: error.message }
  }
}

const pageOf = (given: Given, place: FramePlace): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Google Drive</title></head>
<body${appAttribute(place)}>
<noscript><p>This needs JavaScript.</p></noscript>
<script id="given" type="application/json">${JSON.stringify(given).replaceAll('<', String.raw`\u003c`)}</script>
${'token' in given ? `<script src="${GOOGLE_JS}"></script>` : ''}
<script>${SCRIPT}</script></body></html>`

const SCRIPT = `
const { token, apiKey, appId, refusal } = JSON.parse(document.querySelector('#given').textContent)
const app = ${APP_ORIGIN_SCRIPT}
function say(drivePicker) {
  if (parent !== window) parent.postMessage({ drivePicker }, app)
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
    .setOrigin(app)
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
]
