import type { ReactNode } from 'react'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import { blockMinus } from './minus-signs.ts'
import type { OptionsFormProps } from './options-form.tsx'

interface OptionsFrameProps extends Pick<
  OptionsFormProps<never>,
  'formId' | 'onApply' | 'renderPreview'
> {
  /** What the edit makes, in one sentence. */
  readonly sentence: string
  /** What the fields ask for now; null while they cannot be used. */
  readonly request: TaskRequest | null
  /** Apply was pressed while the fields cannot be used: time to say why. */
  readonly onRefused?: () => void
  /** For forms whose fields are numbers of zero and more. */
  readonly isMinusBlocked?: boolean
  readonly children: ReactNode
}

/** The frame of every option form: its sentence, its fields, and what they give. */
export function OptionsFrame(props: OptionsFrameProps) {
  const { request } = props
  return (
    <form
      id={props.formId}
      noValidate
      onKeyDownCapture={props.isMinusBlocked === true ? blockMinus : undefined}
      onSubmit={(event) => {
        event.preventDefault()
        if (request === null) props.onRefused?.()
        else props.onApply(request)
      }}
    >
      <p className="mb-5">{props.sentence}</p>
      {props.children}
      {props.renderPreview?.(request)}
    </form>
  )
}
