import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Dialog as AriaDialog, Heading } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { classNames } from './class-names.ts'
import { IconButton } from './IconButton.tsx'
import { useCloseRequests } from './use-close-requests.ts'

export interface DialogProps {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
  /**
   * Buttons, the main one last. On small screens they share the width, or stack where their words
   * leave no room, the main one on top.
   */
  readonly footer?: ReactNode
  /** `alertdialog` for questions that interrupt. */
  readonly role?: 'dialog' | 'alertdialog'
  /** Blocking: no close button, no Escape or back button, no closing by a press outside. */
  readonly isBlocking?: boolean
  readonly width?: keyof typeof widths
}

const widths = {
  small: 'sm:max-w-md',
  medium: 'sm:max-w-xl',
  large: 'sm:max-w-3xl',
  /** For two columns on laptops. */
  wide: 'sm:max-w-3xl lg:max-w-6xl',
} as const

/**
 * A modal dialog: traps the focus, returns it when closed, and closes by Escape and by the back
 * button of a phone. A bottom sheet on small screens. Where the window is low, as with large text,
 * title and buttons scroll with the content: beside them a line or two of it were left. What goes
 * on below fades out, so that it does not look like the end.
 */
export function Dialog({
  title,
  isOpen,
  onClose,
  children,
  footer,
  role = 'dialog',
  isBlocking = false,
  width = 'small',
}: DialogProps) {
  useCloseRequests(isOpen, isBlocking, onClose)
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      isDismissable={!isBlocking}
      isKeyboardDismissDisabled={isBlocking}
      className="fixed inset-0 z-50 flex animate-fade items-end justify-center bg-scrim backdrop-blur-[2px] sm:items-center sm:p-6"
    >
      <Modal className={classNames('w-full animate-rise', widths[width])}>
        <AriaDialog
          role={role}
          className="flex max-h-[92dvh] flex-col overflow-hidden short:block short:overflow-y-auto short:overscroll-contain rounded-t-3xl border border-line bg-surface-raised shadow-3 outline-none sm:rounded-card"
        >
          <div className="flex items-start justify-between gap-[min(1rem,3vw)] px-[min(1.5rem,6vw)] pt-5">
            <Heading slot="title" className="min-w-0 pt-1.5 text-xl font-semibold">
              {title}
            </Heading>
            {isBlocking ? null : (
              <IconButton label="Close" slot="close" icon={<X aria-hidden />} className="-mr-2" />
            )}
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-[min(1.5rem,6vw)] pt-2 text-ink-muted short:overflow-visible">
            {children}
            <div
              aria-hidden
              className="pointer-events-none sticky bottom-0 h-6 bg-linear-to-t from-surface-raised to-transparent"
            />
          </div>
          {footer === undefined ? null : (
            <div className="flex flex-wrap-reverse gap-3 border-t border-line bg-surface-sunken/60 px-[min(1.5rem,6vw)] py-4 pb-[max(1rem,env(safe-area-inset-bottom))] *:grow sm:justify-end sm:*:grow-0">
              {footer}
            </div>
          )}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}
