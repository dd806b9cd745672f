/**
 * `/editors/connect/dropbox`: the document in which a person chooses a video in Dropbox, in a frame
 * of the app. It is the only one that loads Dropbox's script, and has a policy of its own. It tells
 * the page around it, by `postMessage` to the same origin, `{ dropboxChooser: 'ready' | 'unloaded'
 * | 'canceled' | { id, name, link, bytes } }`.
 */
import { Hono } from 'hono'
import type { Deps } from '#server/deps.ts'
import { problemAnswer } from '#server/http/problem-answer.ts'
import { Problem } from '#server/problems.ts'
import { CLOUD_FILE_MAX_BYTES } from '#spec/numbers.ts'
import { policyHash } from './policy-hash.ts'

const PATH = '/editors/connect/dropbox'
const DROPBOX_JS = 'https://www.dropbox.com/static/api/2/dropins.js'

export function createDropboxChooser(deps: Deps): Hono {
  const app = new Hono()
  app.get(PATH, (c) => {
    const { dropboxAppKey } = deps.settings
    if (dropboxAppKey === null)
      return problemAnswer(
        new Problem('request/not-found', 'There is nothing here.'),
        deps.newId(),
        deps.log,
      )
    return c.html(pageOf(dropboxAppKey), 200, {
      'cache-control': 'no-store',
      'content-security-policy': POLICY,
      'x-frame-options': 'SAMEORIGIN',
    })
  })
  return app
}

/** @param appKey letters and digits only, as the settings read it */
const pageOf = (appKey: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Dropbox</title><style>${STYLE}</style></head>
<body><main>
<p>Choose one video of up to ${CLOUD_FILE_MAX_BYTES / 1024 ** 3} GB. Dropbox opens in a window of its own.</p>
<button type="button" disabled>Open Dropbox</button>
<noscript><p>This needs JavaScript.</p></noscript>
</main>
<script id="dropboxjs" data-app-key="${appKey}" src="${DROPBOX_JS}"></script>
<script>${SCRIPT}</script></body></html>`

// A browser opens the window only for a press in this document.
const SCRIPT = `
function say(dropboxChooser) {
  if (parent !== window) parent.postMessage({ dropboxChooser }, location.origin)
}
const button = document.querySelector('button')
if (!window.Dropbox) say('unloaded')
else {
  button.disabled = false
  button.addEventListener('click', () =>
    Dropbox.choose({
      linkType: 'direct',
      multiselect: false,
      folderselect: false,
      extensions: ['video'],
      sizeLimit: ${CLOUD_FILE_MAX_BYTES},
      success: ([{ id, name, link, bytes }]) => say({ id, name, link, bytes }),
      cancel: () => say('canceled'),
    }),
  )
  say('ready')
}
`

// Without a background, and with the colours of the page around it, it is no box in the dialog.
const STYLE = `
:root { color-scheme: light dark }
body { margin: 0; color: CanvasText; font: 16px/1.5 system-ui, sans-serif }
p { margin: 0 0 1rem }
button { min-height: 2.75rem; padding: 0 1.25rem; border: 0; border-radius: .5rem; background: #0061fe; color: #ffffff; font: inherit; font-weight: 600; cursor: pointer }
button:disabled { background: #6b6b7b; cursor: default }
button:focus-visible { outline: 3px solid CanvasText; outline-offset: 2px }
`

const POLICY = [
  "default-src 'none'",
  `script-src ${policyHash(SCRIPT)} ${DROPBOX_JS}`,
  `style-src ${policyHash(STYLE)}`,
  'frame-src https://www.dropbox.com',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ')
