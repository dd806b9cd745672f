/** The parts of the external script that are used (explicit-render mode). */
export interface RecaptchaApi {
  render(container: HTMLElement, options: RecaptchaOptions): number
  reset(widgetId: number): void
}
export interface RecaptchaOptions {
  readonly sitekey: string
  readonly theme: 'light'
  readonly type: 'image'
  readonly size: 'normal'
  readonly badge: 'bottomright'
  readonly callback: (token: string) => void
  readonly 'expired-callback': () => void
  readonly 'error-callback': () => void
}
export interface RecaptchaListener {
  readonly onToken: (token: string) => void
  readonly onExpired: () => void
  readonly onError: () => void
}

const SCRIPT = 'https://www.google.com/recaptcha/api.js?render=explicit&onload=onecutRecaptchaReady'

/**
 * Draws the widget with the options of the specification; it is reset on an error. Returns how to
 * reset it.
 */
export function renderRecaptcha(
  api: RecaptchaApi,
  container: HTMLElement,
  siteKey: string,
  listener: RecaptchaListener,
): () => void {
  const widgetId = api.render(container, {
    sitekey: siteKey,
    theme: 'light',
    type: 'image',
    size: 'normal',
    badge: 'bottomright',
    callback: listener.onToken,
    'expired-callback': listener.onExpired,
    'error-callback': () => {
      listener.onError()
      api.reset(widgetId)
    },
  })
  return () => api.reset(widgetId)
}

/**
 * Loads the external script once; null when it could not be loaded (blocked, offline). Page only.
 */
export function loadRecaptcha(): Promise<RecaptchaApi | null> {
  return new Promise((resolve) => {
    const ready = readApi()
    if (ready !== null) return resolve(ready)
    Object.assign(window, { onecutRecaptchaReady: () => resolve(readApi()) })
    const script = document.createElement('script')
    script.src = SCRIPT
    script.async = true
    script.onerror = () => {
      script.remove()
      resolve(null)
    }
    document.head.append(script)
    return undefined
  })
}

function readApi(): RecaptchaApi | null {
  const found: unknown = 'grecaptcha' in window ? window.grecaptcha : null
  return isRecaptcha(found) ? found : null
}

function isRecaptcha(value: unknown): value is RecaptchaApi {
  return (
    typeof value === 'object' &&
    value !== null &&
    'render' in value &&
    typeof value.render === 'function' &&
    'reset' in value
  )
}
