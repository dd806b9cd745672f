import { useState } from 'react'
import { drawableText, shareOfUsualHeight } from '#recipes/dynamic-watermark/options.ts'
import { requestWithOptions } from '#src/local/edits/task-requests.ts'
import { TextField } from '#src/ui/TextField.tsx'
import type { OptionsFormProps } from './options-form.tsx'
import { OptionsFrame } from './OptionsFrame.tsx'

/**
 * Letters below this share of their usual height are hard to read while they move: 64 of the widest
 * have two thirds of it on a wide video, and a fifth on an upright one.
 */
const LEAST_SHARE = 0.5

/** The options of the dynamic watermark (OPT-01). */
export function WatermarkOptionsForm({
  initial,
  kept: _kept,
  sourceDurationMs,
  video,
  onValidity: _onValidity,
  ...frame
}: OptionsFormProps<'dynamic-watermark'>) {
  const [text, setText] = useState(initial?.text ?? '')
  const [error, setError] = useState<string | null>(null)
  const request = requestWithOptions('dynamic-watermark', { text }, sourceDurationMs)
  const share = video === null ? 1 : shareOfUsualHeight(text, video.source)
  return (
    <OptionsFrame
      sentence="Your name or tag keeps moving over the whole video, so that it cannot be cropped away."
      request={request.ok ? request.value : null}
      onRefused={() => setError(request.ok ? null : request.error.message)}
      {...frame}
    >
      <TextField
        label="Name or Social Tag"
        placeholder="@someusername"
        value={text}
        onChange={(value) => {
          setText(value)
          setError(null)
        }}
        error={error}
        autoComplete="off"
        isRequired
        autoFocus
      />
      <div role="status" className="mt-3 grid gap-1 text-sm font-medium text-warn">
        <Line words={drawnWords(text)} />
        <Line words={smallWords(share)} />
      </div>
    </OptionsFrame>
  )
}

function Line({ words }: { readonly words: string | null }) {
  return words === null ? null : <p className="wrap-anywhere">{words}</p>
}

/** Warns of letters that are hard to read; null of larger ones. */
function smallWords(share: number): string | null {
  return share < LEAST_SHARE
    ? `In this video a text of this length fits only in letters of ${Math.round(share * 100)}% of their usual height. A shorter one is easier to read.`
    : null
}

/**
 * What is drawn, where it is not what was typed; null where it is, and where nothing can be drawn.
 */
function drawnWords(text: string): string | null {
  const drawn = drawableText(text)
  return drawn === '' || drawn === text.normalize().trim() ? null : `Will be drawn as: ${drawn}`
}
