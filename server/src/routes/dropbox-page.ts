import { appAttribute, type FramePage, type FramePlace } from '#server/framed.ts'
import { policyHash } from './policy-hash.ts'

const DROPBOX_JS = 'https://www.dropbox.com/static/api/2/dropins.js'

interface DropboxPage {
  /** Letters and digits only, as the settings read it. */
  readonly appKey: string
  /** HTML before the button that opens Dropbox's window. */
  readonly main: string
  /** What the script is given, in a form that it parses. */
  readonly given?: unknown
  readonly script: string
  /** Where Dropbox's script asks from the document, beside its window. */
  readonly connects?: string
}

/**
 * A document with Dropbox's script and a button, in a frame of the app. Only such documents load
 * it; each has a policy of its own.
 */
export function dropboxPage(page: DropboxPage, place: FramePlace): FramePage {
  return { html: htmlOf(page, place), policy: policyOf(page) }
}

const htmlOf = (
  { appKey, main, given, script }: DropboxPage,
  place: FramePlace,
): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Dropbox</title><style>${STYLE}</style></head>
<body${appAttribute(place)}><main>
${main}
<button type="button" disabled>Open Dropbox</button>
<noscript><p>This needs JavaScript.</p></noscript>
</main>
${given === undefined ? '' : `<script id="given" type="application/json">${JSON.stringify(given).replaceAll('<', String.raw`\u003c`)}</script>\n`}<script id="dropboxjs" data-app-key="${appKey}" src="${DROPBOX_JS}"></script>
<script>${script}</script></body></html>`

// Without a background, and with the colours of the page around it, it is no box in the dialog.
const STYLE = `
:root { color-scheme: light dark }
body { margin: 0; color: CanvasText; font: 16px/1.5 system-ui, sans-serif }
p { margin: 0 0 1rem }
button { min-height: 2.75rem; padding: 0 1.25rem; border: 0; border-radius: .5rem; background: #0061fe; color: #ffffff; font: inherit; font-weight: 600; cursor: pointer }
button:disabled { background: #6b6b7b; cursor: default }
button:focus-visible { outline: 3px solid CanvasText; outline-offset: 2px }
`

const policyOf = ({ script, connects }: DropboxPage): readonly string[] => [
  "default-src 'none'",
  `script-src ${policyHash(script)} ${DROPBOX_JS}`,
  `style-src ${policyHash(STYLE)}`,
  'frame-src https://www.dropbox.com',
  ...(connects === undefined ? [] : [`connect-src ${connects}`]),
  "base-uri 'none'",
  "form-action 'none'",
]
