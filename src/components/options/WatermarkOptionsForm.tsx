import { useState } from 'react'
import { lettersOf } from '#recipes/dynamic-watermark/letters.ts'
import {
  drawableText,
  MARK_SIZES,
  MARK_STRENGTHS,
  type MarkSize,
  type MarkStrength,
} from '#recipes/dynamic-watermark/options.ts'
import type { Size } from '#recipes/picture.ts'
import { requestWithOptions } from '#src/local/edits/task-requests.ts'
import { SelectField } from '#src/ui/SelectField.tsx'
import { TextField } from '#src/ui/TextField.tsx'
import type { OptionsFormProps } from './options-form.tsx'
import { OptionsFrame } from './OptionsFrame.tsx'

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
  const [size, setSize] = useState<MarkSize>(initial?.size ?? 'medium')
  const [strength, setStrength] = useState<MarkStrength>(initial?.strength ?? 'medium')
  const [error, setError] = useState<string | null>(null)
  const request = requestWithOptions(
    'dynamic-watermark',
    { text, size, strength },
    sourceDurationMs,
  )
  return (
    <OptionsFrame
      sentence="Your name or tag keeps moving over the whole video, so that it cannot be cropped away. It can be read on bright and on dark pictures, also on a phone."
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
        <Line words={video === null ? null : linesWords(text, size, video.source)} />
      </div>
      <div className="mt-3 grid grid-cols-2 gap-4">
        <SelectField label="Size" value={size} options={named(MARK_SIZES)} onChange={setSize} />
        <SelectField
          label="Strength"
          value={strength}
          options={named(MARK_STRENGTHS)}
          onChange={setStrength}
        />
      </div>
    </OptionsFrame>
  )
}

function named<T extends string>(values: readonly T[]) {
  return values.map((value) => ({
    value,
    label: value.charAt(0).toUpperCase() + value.slice(1),
  }))
}

function Line({ words }: { readonly words: string | null }) {
  return words === null ? null : <p className="wrap-anywhere">{words}</p>
}

/** Where a text is broken that is too long for one line of this video; null of others. */
function linesWords(text: string, size: MarkSize, picture: Size): string | null {
  const drawn = drawableText(text)
  const { lines } = lettersOf(drawn, size, picture)
  return drawn === '' || lines.length === 1
    ? null
    : `In this video it stands in ${lines.length} lines: ${lines.join(' / ')}`
}

/**
 * What is drawn, where it is not what was typed; null where it is, and where nothing can be drawn.
 */
function drawnWords(text: string): string | null {
  const drawn = drawableText(text)
  return drawn === '' || drawn === text.normalize().trim() ? null : `Will be drawn as: ${drawn}`
}
