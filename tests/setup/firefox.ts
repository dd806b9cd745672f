import { firefox, type Browser, type LaunchOptions } from '@playwright/test'

/**
 * The machine's own Firefox, driven by WebDriver BiDi; Playwright's patched one is not needed.
 * Holds for Playwright 1.64 with Firefox ESR 153: 1.65 sends a command that it does not know.
 */
export const FIREFOX: LaunchOptions = {
  channel: 'moz-firefox',
  executablePath: process.env['FIREFOX_PATH'] ?? '/usr/bin/firefox-esr',
}

/**
 * Starts it. Missing there: Background Sync, Background Fetch, file handles, CDP. The caller closes
 * it.
 */
export function startFirefox(): Promise<Browser> {
  return firefox.launch(FIREFOX)
}
