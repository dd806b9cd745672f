import type { OptionRules } from '#recipes/define-preset.ts'
import { invalidOption, optionFields } from '#recipes/option-checks.ts'
import { ok, type Result } from '#recipes/result.ts'
import type { OptionsProblem } from '#recipes/types.ts'

/** The options of incognito-full-scene; what is left out does not happen. */
export interface IncognitoOptions {
  readonly obfuscateVoice: boolean
  readonly denoiseAudio: boolean
}

export const incognitoOptions: OptionRules<IncognitoOptions> = {
  parse: parseIncognitoOptions,
  // Both, so that a server offers the edit only where it can do all that its form asks for.
  typical: { obfuscateVoice: true, denoiseAudio: true },
}

function parseIncognitoOptions(payload: unknown): Result<IncognitoOptions, OptionsProblem> {
  const given = optionFields(payload)
  const [obfuscateVoice, denoiseAudio] = ['obfuscateVoice', 'denoiseAudio'].map(
    (field) => given?.get(field) ?? false,
  )
  if (given === null || typeof obfuscateVoice !== 'boolean')
    return invalidOption('obfuscateVoice', MESSAGE)
  return typeof denoiseAudio === 'boolean'
    ? ok({ obfuscateVoice, denoiseAudio })
    : invalidOption('denoiseAudio', MESSAGE)
}

const MESSAGE = 'Please tick the box or leave it empty'
