import { useState } from 'react'
import { lettersOf } from '#recipes/dynamic-watermark/letters.ts'
import { MARK_SIZES, MARK_STRENGTHS, type MarkSize } from '#recipes/dynamic-watermark/mark.ts'
import { drawableText } from '#recipes/dynamic-watermark/options.ts'
import type { Size } from '#recipes/picture.ts'
import { hintLook } from '#src/ui/field-look.ts'
import { SelectField } from '#src/ui/SelectField.tsx'
import { TextField } from '#src/ui/TextField.tsx'
import { LogoField } from './LogoField.tsx'
import type { OptionsFormProps } from './options-form.tsx'
import { OptionsFrame } from './OptionsFrame.tsx'
import {
  MARKS,
  useWatermarkDraft,
  type WatermarkDraft,
  type WatermarkForm,
} from './use-watermark-draft.ts'

const MARK_LABELS = { letters: 'Letters', logo: 'A logo' } as const

/** The options of the dynamic watermark (OPT-01): letters, or a logo of the media assets. */
export function WatermarkOptionsForm({
  initial,
  kept,
  sourceDurationMs,
  video,
  onValidity: _onValidity,
  ...frame
}: OptionsFormProps<'dynamic-watermark'>) {
  const form = useWatermarkDraft(initial, kept, sourceDurationMs)
  const { draft, change } = form
  const [isRefused, setIsRefused] = useState(false)
  const changeShown = (changed: Partial<WatermarkDraft>) => {
    change(changed)
    setIsRefused(false)
  }
  const error = isRefused || form.isOfLogo ? form.problem : null
  const offersLogo = form.mayChoose || draft.mark === 'logo'
  return (
    <OptionsFrame
      sentence="Your name, tag or logo keeps moving over the whole video, so that it cannot be cropped away. It can be seen on bright and on dark pictures, also on a phone."
      request={form.request}
      onRefused={() => setIsRefused(true)}
      {...frame}
    >
      {offersLogo ? (
        <SelectField
          label="What it shows"
          value={draft.mark}
          options={MARKS.map((value) => ({ value, label: MARK_LABELS[value] }))}
          onChange={(mark) => changeShown({ mark })}
          className="mb-4"
        />
      ) : null}
      {draft.mark === 'letters' ? (
        <LettersField
          draft={draft}
          picture={video?.source ?? null}
          onChange={(text) => changeShown({ text })}
          error={error}
        />
      ) : (
        <LogoField form={{ ...form, change: changeShown }} error={error} />
      )}
      <LookFields draft={draft} onChange={change} />
      <p className={`mt-3 ${hintLook}`}>
        Where faces have been found in your video, for 'Face Blur' or 'Incognito Scene', it keeps
        off them.{draft.mark === 'logo' ? ` ${LOGO_PREVIEW}` : ''}
      </p>
    </OptionsFrame>
  )
}

/** What a preview shows, which has no assets. */
const LOGO_PREVIEW =
  "A preview shows the words 'Your logo' where it will be; the finished edit shows your picture."

interface LookFieldsProps {
  readonly draft: WatermarkDraft
  readonly onChange: WatermarkForm['change']
}

function LookFields({ draft, onChange: change }: LookFieldsProps) {
  return (
    <div className="mt-3 grid grid-cols-[repeat(auto-fit,minmax(min(8rem,100%),1fr))] gap-4">
      <SelectField
        label="Size"
        value={draft.size}
        options={named(MARK_SIZES)}
        onChange={(size) => change({ size })}
      />
      <SelectField
        label="Strength"
        value={draft.strength}
        options={named(MARK_STRENGTHS)}
        onChange={(strength) => change({ strength })}
      />
    </div>
  )
}

interface LettersFieldProps {
  readonly draft: WatermarkDraft
  /** The size of the video; null while unknown. */
  readonly picture: Size | null
  readonly onChange: (text: string) => void
  readonly error: string | null
}

function LettersField({ draft: { text, size }, picture, onChange, error }: LettersFieldProps) {
  return (
    <>
      <TextField
        label="Name or Social Tag"
        placeholder="@someusername"
        value={text}
        onChange={onChange}
        error={error}
        autoComplete="off"
        isRequired
        autoFocus
      />
      <div role="status" className="mt-3 grid gap-1 text-sm font-medium text-warn">
        <Line words={drawnWords(text)} />
        <Line words={picture === null ? null : linesWords(text, size, picture)} />
      </div>
    </>
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
