import { FolderOpen } from 'lucide-react'
import { useEffect, useId, useRef } from 'react'
import type { MouseEvent, ReactNode } from 'react'
import { buttonLook } from './button-look.ts'
import { DropZoneFrame, type ZoneState } from './DropZoneFrame.tsx'
import { openPicker } from './dropped-files.ts'
import type { ChosenFile, DragVerdict } from './dropped-files.ts'
import { useFileDrop } from './use-file-drop.ts'

export interface DropZoneProps {
  /** The words of the button; also the name of the file input. */
  readonly buttonText: string
  /** The main sentence over the button. */
  readonly title: ReactNode
  /** Accepted types and limits, shown before the person chooses. */
  readonly hint?: ReactNode
  /** `accept` of the input: MIME types and extensions. */
  readonly accept: string
  /**
   * Browsers that have a picker of their own use it with these types, because it gives lasting
   * handles.
   */
  readonly pickerTypes?: readonly FilePickerAcceptType[]
  readonly isTypeAccepted: (type: string) => boolean
  readonly maxFiles?: number
  readonly isDisabled?: boolean
  /** Takes drops (and pasted files) anywhere in the window. */
  readonly isWholeWindow?: boolean
  readonly onChoose: (chosen: readonly ChosenFile[]) => void
  /**
   * Shown while files are dragged over; the defaults are 'Drop to add' and 'This cannot be added
   * here'.
   */
  readonly acceptText?: string
  readonly rejectText?: string
  /** Takes the focus when it appears, because it replaces the control that was just pressed. */
  readonly isFocusTaken?: boolean
  /** Other ways to choose, under the button. */
  readonly children?: ReactNode
}

/**
 * A labeled native file button first; dropping is the extra. States: idle, drag accept, drag
 * reject, disabled.
 */
export function DropZone(props: DropZoneProps) {
  const { title, isTypeAccepted, maxFiles = 1, isDisabled = false, onChoose } = props
  const zone = useRef<HTMLDivElement>(null)
  const hintId = useId()
  const verdict = useFileDrop({
    isDisabled,
    maxFiles,
    isTypeAccepted,
    onChoose,
    target: props.isWholeWindow === true ? null : zone,
  })
  const state = stateOf(isDisabled, verdict)
  const titles: Readonly<Record<ZoneState, ReactNode>> = {
    disabled: title,
    idle: title,
    accept: props.acceptText ?? 'Drop to add',
    reject: props.rejectText ?? 'This cannot be added here',
  }
  return (
    <DropZoneFrame
      ref={zone}
      state={state}
      title={titles[state]}
      button={<FileButton {...props} hintId={props.hint === undefined ? undefined : hintId} />}
      hint={props.hint}
      hintId={hintId}
    >
      {props.children}
    </DropZoneFrame>
  )
}

function stateOf(isDisabled: boolean, verdict: DragVerdict | null): ZoneState {
  if (isDisabled) return 'disabled'
  if (verdict === null) return 'idle'
  return verdict === 'reject' ? 'reject' : 'accept'
}

/** The native file input with its label as the button; opens the picker with handles if it can. */
function FileButton({
  buttonText,
  accept,
  pickerTypes,
  maxFiles = 1,
  isDisabled = false,
  isFocusTaken = false,
  onChoose,
  hintId,
}: DropZoneProps & { readonly hintId: string | undefined }) {
  const input = useRef<HTMLInputElement>(null)
  const inputId = useId()
  useEffect(() => {
    if (isFocusTaken) input.current?.focus({ preventScroll: true })
  }, [isFocusTaken])
  const pickWithHandles = (event: MouseEvent) => {
    if (pickerTypes === undefined || !('showOpenFilePicker' in window)) return
    event.preventDefault()
    void openPicker(pickerTypes, maxFiles > 1).then((chosen) => {
      if (chosen !== null && chosen.length > 0) onChoose(chosen)
    })
  }
  const takeFromInput = () => {
    const files = [...(input.current?.files ?? [])]
    // Emptied, so that choosing the same file again counts as a change.
    if (input.current !== null) input.current.value = ''
    if (files.length > 0) onChoose(files.map((file) => ({ file, handle: null })))
  }
  return (
    <>
      <input
        ref={input}
        id={inputId}
        type="file"
        accept={accept}
        multiple={maxFiles > 1}
        disabled={isDisabled}
        aria-describedby={hintId}
        onClick={pickWithHandles}
        onChange={takeFromInput}
        className="peer sr-only"
      />
      <label
        htmlFor={inputId}
        data-disabled={isDisabled || undefined}
        className={buttonLook(
          'primary',
          'large',
          'peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-accent',
        )}
      >
        <FolderOpen aria-hidden className="size-5" />
        {buttonText}
      </label>
    </>
  )
}
