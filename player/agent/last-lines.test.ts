import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { settle } from '../core/testing/fakes.ts';
import { LastLines } from './last-lines.ts';

const heard = async (...chunks: string[]) => {
  const stream = new PassThrough();
  const lines = new LastLines(stream);
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  await settle();
  return lines.telling;
};

test("LastLines returns Chromium's reason for a start without a display, not the usual noise around it", async () => {
  assert.equal(
    await heard(
      '[1:2:1121/211610.220472:ERROR:dbus/bus.cc:405] Failed to connect to the bus: No such file or directory\n',
      '[1:1:1121/211609.429370:ERROR:ui/ozone/platform/x11/ozone_platform_x11.cc:257] Missing X server or $DISPLAY\n',
      '[1:1:1121/211609.429418:ERROR:ui/aura/env.cc:253] The platform failed to initialize.  Exiting.\n',
      '[1:2:1121/211610.220472:ERROR:dbus/bus.cc:405] Failed to connect to the bus: No such file or directory\n',
      '[1:1:1121/211610.220500:WARNING:some/file.cc(7)] an option is old\n',
      '[3:3:0100/000000.498363:ERROR:content/zygote/zygote_linux.cc:662] write: Broken pipe (32)\n',
    ),
    'Missing X server or $DISPLAY',
  );
});

test('LastLines returns the reason of a crash, without the memory addresses in the message', async () => {
  const crash =
    '#0 0x5581c2a0 base::debug::StackTrace\n  r8: 0000000000000000  r9: 0000000000000001\n[end of stack trace]\nCalling _exit(1). Core file will not be generated.\n';
  assert.equal(
    await heard(`[1:1:1121/211609.648725:FATAL:zygote_host_impl_linux.cc(117)] No usable sandbox!\n${crash}`),
    'No usable sandbox!',
  );
});

test('LastLines handles lines that arrive in parts, an incomplete last line, and no output', async () => {
  assert.equal(await heard('chromium: libnss3', '.so is missing\r', '\n\n'), 'chromium: libnss3.so is missing');
  assert.equal(await heard('first\nlibnss3.so is missing'), 'libnss3.so is missing');
  assert.equal(await heard('\n \n'), undefined);
});

test('LastLines reads endless output and stores only a little of it', async () => {
  const stream = new PassThrough();
  const lines = new LastLines(stream);
  for (let i = 0; i < 50; i++) {
    // Without reading, the stream would refuse data beyond its buffer.
    assert.ok(stream.write('x'.repeat(1_000)), `chunk ${i}`);
    await settle();
  }
  assert.equal(lines.telling?.length, 300);
  stream.end('\n');
  await lines.whole;
  await lines.whole;
});
