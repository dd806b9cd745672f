import { useId, useState } from 'react'
import { requestWithOptions } from '#src/local/edits/task-requests.ts'
import { Checkbox } from '#src/ui/Checkbox.tsx'
import type { OptionsFormProps } from './options-form.tsx'
import { OptionsFrame } from './OptionsFrame.tsx'

/**
 * The options of the incognito scene (OPT-06). Voices are changed unless the creator says no: this
 * edit is taken by people who want to stay unknown. The newer flow always sends `denoiseAudio` as
 * false, so only the older one asks for it.
 */
export function IncognitoOptionsForm({
  initial,
  kept: _kept,
  sourceDurationMs,
  video: _video,
  flow,
  onValidity: _onValidity,
  ...frame
}: OptionsFormProps<'incognito-full-scene'>) {
  const [obfuscateVoice, setObfuscateVoice] = useState(initial?.obfuscateVoice ?? true)
  const [isDenoised, setIsDenoised] = useState(initial?.denoiseAudio ?? false)
  const denoiseAudio = flow === 'older' && isDenoised
  const request = requestWithOptions(
    'incognito-full-scene',
    { obfuscateVoice, denoiseAudio },
    sourceDurationMs,
  )
  return (
    <OptionsFrame
      sentence="Hides faces in the whole video. After you have paid you look at the faces that were found, and the edit is made by what you decide."
      request={request.ok ? request.value : null}
      {...frame}
    >
      <Choice
        label="Obfuscate Voice"
        isSelected={obfuscateVoice}
        onChange={setObfuscateVoice}
        help={
          obfuscateVoice
            ? 'Everyone who speaks gets another voice, which software that compares voices can still tell. Music changes too.'
            : 'Voices stay as they are, and people can be recognised by them.'
        }
      />
      {flow === 'older' ? (
        <Choice
          label="Denoise Audio"
          isSelected={isDenoised}
          onChange={setIsDenoised}
          help={
            isDenoised
              ? 'Steady noise is taken off: hiss, hum and fans. Music may suffer from it.'
              : 'Noise stays in the sound.'
          }
        />
      ) : null}
      {obfuscateVoice || denoiseAudio ? null : (
        <p role="status">Like this it makes the same video as Face Blur.</p>
      )}
    </OptionsFrame>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly isSelected: boolean
  readonly onChange: (isSelected: boolean) => void
  /** What the choice means as it stands. */
  readonly help: string
}

/** A box to tick, with what it means below it. */
function Choice({ label, isSelected, onChange, help }: ChoiceProps) {
  const id = useId()
  return (
    <>
      <Checkbox isSelected={isSelected} onChange={onChange} describedBy={id}>
        {label}
      </Checkbox>
      <p id={id} className="mt-1 mb-4 text-sm text-ink-muted">
        {help}
      </p>
    </>
  )
}
