import type { ComponentType, ReactNode } from 'react'
import { KeptOptions } from './KeptOptions.tsx'
import type { OptionsDraft } from '#src/hooks/edits/use-options-draft.ts'
import {
  payloadOf,
  type PayloadOf,
  type PresetSlug,
  type SlugWithOptions,
  type TaskRequest,
} from '#src/local/edits/task-requests.ts'
import type { PreviewVideo } from '#src/local/previews/preview.ts'

/** What every option form gets. */
export interface OptionsFormProps<S extends SlugWithOptions> {
  /** The dialog's Apply button submits the form by this id. */
  readonly formId: string
  /** The options that are chosen already, to change them. */
  readonly initial: PayloadOf<S> | null
  /** What the form held when it was left to upload an asset; null when it begins without. */
  readonly kept: OptionsDraft | null
  readonly onApply: (request: TaskRequest) => void
  /** Probed length of the source; null while unknown. */
  readonly sourceDurationMs: number | null
  /** What pictures of the source can be made from; null where this device has none of it. */
  readonly video: PreviewVideo | null
  /** Names the source at the server; null before it knows it. */
  readonly uploadRequestId: string | null
  /** Which flow asks: the specification leaves a part of the options to the older one. */
  readonly flow: 'newer' | 'older'
  /**
   * Called with whether the options can be applied, at first and when that changes. A form that
   * never calls it keeps Apply enabled and shows its error on Apply.
   */
  readonly onValidity: (isValid: boolean) => void
  /**
   * Draws what the current options give, below the form; null while they cannot be used. Left out
   * where this device cannot show previews.
   */
  readonly renderPreview?: ((request: TaskRequest | null) => ReactNode) | undefined
}

/** The option form of one preset, with the type of its options hidden. */
export interface OptionsForm {
  readonly slug: PresetSlug
  render(
    props: Omit<OptionsFormProps<SlugWithOptions>, 'initial' | 'kept'> & {
      readonly initial: TaskRequest | null
      /**
       * Called with true once the form is drawn, and with false when it goes: until this device has
       * read what it held, Apply would do nothing. The same function at each render.
       */
      readonly onDrawn: (isDrawn: boolean) => void
    },
  ): ReactNode
  /**
   * The chosen options in a few words; null for a request of another preset.
   * @param sourceDurationMs of the video that they are for; null while unknown
   */
  words(request: TaskRequest, sourceDurationMs: number | null): string | null
}

/** Joins a preset, its form and the words for its chosen options. */
export function optionsForm<S extends SlugWithOptions>(
  slug: S,
  Form: ComponentType<OptionsFormProps<S>>,
  words: (payload: PayloadOf<S>, sourceDurationMs: number | null) => string,
): OptionsForm {
  return {
    slug,
    render: ({ initial, onApply, onDrawn, ...props }) => (
      <KeptOptions key={slug} slug={slug} onDrawn={onDrawn}>
        {(kept, forget) => (
          <Form
            {...props}
            initial={payloadOf(slug, initial)}
            kept={kept}
            onApply={(request) => {
              forget()
              onApply(request)
            }}
          />
        )}
      </KeptOptions>
    ),
    words: (request, sourceDurationMs) => {
      const payload = payloadOf(slug, request)
      return payload === null ? null : words(payload, sourceDurationMs)
    },
  }
}
