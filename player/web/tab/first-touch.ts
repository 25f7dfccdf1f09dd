/** Detects the first touch of the page, because most browsers play sound only after it. */

const TOUCHES = ['click', 'touchend', 'keydown'] as const;

/** Calls `touched` once, in the task of the first touch. */
export function onFirstTouch(touched: () => void): () => void {
  const done = new AbortController();
  const { signal } = done;
  const listener = () => {
    done.abort();
    touched();
  };
  for (const touch of TOUCHES) window.addEventListener(touch, listener, { signal, capture: true });
  return () => done.abort();
}

/** Tests whether sound is allowed by playing a short silence. */
export async function maySound(): Promise<boolean> {
  if (navigator.userActivation?.hasBeenActive) return true;
  const url = URL.createObjectURL(new Blob([silence()], { type: 'audio/wav' }));
  const sound = new Audio(url);
  try {
    await sound.play();
    return true;
  } catch {
    return false;
  } finally {
    sound.removeAttribute('src');
    sound.load();
    URL.revokeObjectURL(url);
  }
}

/** A WAV file of 0.1 s. */
function silence(): ArrayBuffer {
  const [rate, samples] = [8_000, 800];
  const view = new DataView(new ArrayBuffer(44 + samples));
  const text = (at: number, letters: string) => {
    for (const [i, letter] of [...letters].entries()) view.setUint8(at + i, letter.charCodeAt(0));
  };
  text(0, 'RIFF');
  view.setUint32(4, 36 + samples, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate, true);
  view.setUint16(32, 1, true);
  view.setUint16(34, 8, true);
  text(36, 'data');
  view.setUint32(40, samples, true);
  // The middle value of unsigned samples is silence.
  for (let i = 0; i < samples; i++) view.setUint8(44 + i, 128);
  return view.buffer;
}
