/**
 * English sentences of servers and players before December 2026, each with the sentence that replaced it. Older
 * players still send the former sentences, and alerts, notices and the activity log contain them. Remove the table in
 * 2028: the activity log is kept for 400 days by default, and players of 2026 are updated by then. The page of a player
 * must not load this table.
 */
export const former: Readonly<Record<string, string>> = {
  'the browser takes no picture now': 'the browser cannot take a screenshot now',
  'the browser is gone': 'the browser has ended',
  'it has nothing to show any more: {0}': 'the page no longer has anything to show: {0}',
  'the video cannot be played ({0})': 'the video cannot be played',
  'this machine can play the sound of the video, but not its picture: MP4 with H.264 has both':
    'this computer can play the audio of the video, but not its images: convert it to MP4 with H.264',
  'the sound cannot be played ({0})': 'the audio cannot be played',
  'the address is no page': 'the address is not a web page',
  'its page does not respond any more: a script of it may run without end':
    'the page no longer responds: one of its scripts may be in an endless loop',
  '{0}; its last picture stays': '{0}; the last image stays on the screen',
  'it goes on': 'the content continues',
  'what it is told cannot be kept': 'instructions from the server cannot be stored',
  'This machine is too slow for transitions: items change at once until it starts again':
    'This computer is too slow for transitions: items change without transitions until the player restarts',
  'There is an account with this e-mail address already. Sign in instead.':
    'This e-mail address already has an account. Sign in instead.',
  '{0} is decided by the environment of the server’s computer ({1}). Change it there.':
    '{0} is set by an environment variable of the server’s computer ({1}). Change the variable there.',
  'your identity provider looks after your password; change it there':
    'your password is managed by your sign-in provider; change it there',
  'Two-factor is on already. Turn it off first to set it up anew.':
    'Two-factor sign-in is already on. Turn it off before you set it up again.',
  'This user signs in with an identity provider; the password is kept there':
    'This user signs in with a sign-in provider; change the password there',
  'must lie in the future': 'must be in the future',
  'This address has been sent enough mails by this server for now':
    'This server has sent too many e-mails to this address',
  'The workspace of this invite does not exist any more': 'The workspace of this invitation no longer exists',
  'An owner of an organization has set your password, so it opens that organization alone. Confirm it by the mail that was sent to you, or ask an administrator of the server.':
    'An owner of an organization set your password, so the password works only for that organization. Confirm the password with the link in our e-mail to you, or ask an administrator of the server.',
  'The file is empty, it has 0 bytes. Copy it again from where it comes from, then upload it.':
    'The file is empty (0 bytes). Copy it again from its source, then upload it.',
  'This {0} picture is incomplete: its end is missing. Copy it again from where it comes from, then upload it.':
    'This {0} image is incomplete: its end is missing. Copy it again from its source, then upload it.',
  'This {0} picture is damaged and cannot be opened. Take another copy, or open it in a picture program and save it again.':
    'This {0} image is damaged and cannot be opened. Use another copy, or open it in an image editor and save it again.',
  'This video is incomplete: its end is missing. Copy it again from where it comes from, then upload it.':
    'This video is incomplete: its end is missing. Copy it again from its source, then upload it.',
  'This video or sound is damaged and cannot be played. Take another copy, or export it again from the program that made it.':
    'This video or audio file is damaged and cannot be played. Use another copy, or export it again from the program that made it.',
  'a HEIC picture, which no screen can show; save it as JPEG':
    'a HEIC image, which no screen can show; save it as JPEG',
  'a TIFF picture, which no screen can show; save it as PNG or JPEG':
    'a TIFF image, which no screen can show; save it as PNG or JPEG',
  'a picture of a type that no screen can show ({0}); save it as PNG or JPEG':
    'an image of a type that no screen can show ({0}); save it as PNG or JPEG',
  'a sound of a type that no screen can play ({0}); convert it to MP3':
    'an audio file of a type that no screen can play ({0}); convert it to MP3',
  'The picture has {0} megapixels ({1} × {2}); {3} {4}. A 4K screen needs 8: make it smaller.':
    'The image has {0} megapixels ({1} × {2}); {3} {4}. A 4K screen needs 8: make the image smaller.',
  'of an AVIF picture screens can show at most': 'for AVIF images the limit is',
  'Screens cannot play this sound’s codec ({0}); convert it to MP3.':
    'Screens cannot play the codec of this audio file ({0}); convert it to MP3.',
  '{0} is no {1}; only another type of {2} is possible':
    '{0} does not fit content of the kind {1}; send a media type of the kind {2}',
  'The upload broke off: the file did not arrive as a whole. Nothing was kept.':
    'The upload was interrupted, and the file is incomplete. Upload it again.',
  'This is no feed ({0})': 'This is not a feed ({0})',
  'The picture is too large': 'The image is too large',
  'This is no picture that can be shown': 'This image type cannot be shown',
  'The weather service answered something that is no forecast': 'The weather service did not send a forecast',
  'There is no picture of this screen yet': 'There is no screenshot of this screen yet',
  'No screen shows this code now. Codes change every 15 minutes: look at the screen again.':
    'No screen has this code. Codes change every 15 minutes. Check the screen and enter the code again.',
  'must be a stored picture': 'must be the id of an image that is stored on this server',
  '{0} was deleted itself: bring that back first, then this file of it':
    'The content {0} was deleted, too. Restore the content first, then this file.',
  '{0} would stand outside the grid. Move it first.':
    'The screen {0} would be outside the grid. Move the screen to another cell first.',
  'The server is stopping: the import was ended. What was taken over before stays; send the same file again to go on.':
    'The server is stopping, so the import ended early. Entries imported so far are kept. Send the same file again to continue.',
  'The client went away: the import was ended. What was taken over before stays; send the same file again to go on.':
    'The connection was lost, so the import ended early. Entries imported so far are kept. Send the same file again to continue.',
  'This is no export: neither a ZIP of Vitrine, nor a ZIP or JSON of screentinker':
    'This file is not an export. Send a ZIP from Vitrine, or a ZIP or JSON from screentinker.',
  'What describes the export is larger than {0}, the most an import takes. Nothing was changed.':
    'The JSON file of the export is larger than {0}, the limit of an import. Nothing was changed.',
  'What describes the export has {0} values; an import takes at most {1}. Nothing was changed.':
    'The JSON file of the export has {0} values; an import accepts at most {1}. Nothing was changed.',
  'What describes the export is nested {0} deep; an import takes at most {1}. Nothing was changed.':
    'The JSON file of the export is nested {0} levels deep; an import accepts at most {1}. Nothing was changed.',
  'this is not the signature of the {0} that is here, by the publisher of this server; build both anew, and upload both as they were built':
    'this signature does not belong to the uploaded file {0} and the publisher of this server; build the file and its signature again, then upload both unchanged',
  'A backup is being put in place. The server answers again in a moment; screens go on playing.':
    'A backup is being restored. The server answers again in a moment. Screens keep playing.',
  'A backup is being made already. Wait for it.': 'A backup is already running. Wait until it is finished.',
  'The clock has changed since this was shown. Look at it again.':
    'The clock has changed since this page was loaded. Reload the page and check it again.',
  'The server’s disk fails: it cannot be written or read. Nothing was changed. Screens go on playing. Let somebody look at the disk.':
    'The server’s disk is failing and cannot be read or written. Nothing was changed. Screens keep playing. Have the disk checked.',
  'Screens go on playing, but nothing new can be saved.': 'Screens keep playing, but nothing new can be saved.',
  'Screens go on playing, and older backups are kept.': 'Screens keep playing, and older backups are kept.',
  'The clock of this machine says {0}, but it should be {1}.':
    'The clock of this computer shows {0}, but it should show {1}.',
  'The clock of this machine says {0}, but it should be {1} or somewhat later.':
    'The clock of this computer shows {0}, but it should show {1} or somewhat later.',
  'Screens take it by themselves.': 'Screens get the new certificate automatically.',
  'Videos upload and play all the same, but have no thumbnail.':
    'Videos can still be uploaded and played, but they have no thumbnail and cannot be converted.',
  'Installing ffmpeg on this computer adds them.': 'Install ffmpeg on this computer.',
  'Screens that hold them go on playing.': 'Screens that have these files keep playing them.',
  'This server goes on with what it remembers, and will not start again without it: restore it from a backup now ("vitrine restore FILE --keys-only").':
    'The server still runs, but cannot start again without this file. Restore the file from a backup now ("vitrine restore FILE --keys-only").',
  'Mails cannot be delivered. {0}': 'E-mails cannot be delivered. {0}',
  'Screens go on playing what they hold, but nothing can be saved.':
    'Screens keep playing their content, but nothing can be saved.',
  'Let somebody look at the disk now, and keep the newest backup safe.':
    'Have the disk checked now, and keep the newest backup safe.',
  'must not be empty where there is no title and no picture': 'must not be empty without a title or an image',
  'must be an address that begins with http:// or https://, or a picture as data:image/…;base64,':
    'must be an address that begins with http:// or https://, or an image as data:image/…;base64,',
  'Your rights are for uploading: you may add contents, change them, and make folders for them. Nothing else.':
    'You can only add and change content, and create folders for it.',
  'Your rights are for the folders {0}; this is in none of them.':
    'You can change content only in the folders {0}. This is in another folder.',
  'Your rights are for folders that are gone. An administrator of the workspace can give you others.':
    'The folders for which you have rights no longer exist. Ask an administrator of the workspace for new rights.',
  'What is in this folder would go where you may not change it. Move or delete it first, then the folder.':
    'The content of this folder would move to a place where you cannot change it. Move or delete the content first, then the folder.',
  'Somebody else has deleted this. Whoever may change everything can bring it back.':
    'Somebody else deleted this. Ask an administrator of the workspace to restore it.',
  'Your rights are for the screens of {0}. Which screens there are, and who is in a group, others decide.':
    'You can change only the screens of {0}. Only people with rights for all screens can add or remove screens and change groups.',
  'Your rights are for the screens of {0}; this concerns others, too.':
    'You can change only the screens of {0}. This affects other screens, too.',
  'Your rights are for the screens of {0}; other screens may have the tag {1} as well, or get it.':
    'You can change only the screens of {0}. Other screens can have the tag {1}, too.',
  'Your rights are for the screens of {0}. The tag {1} decides who is in a group, and so do others.':
    'You can change only the screens of {0}. The tag {1} adds screens to a group, so you cannot change it.',
  'Your rights are for the screens of {0}; {1} is in none of these groups.':
    'You can change only the screens of {0}. {1} is not in these groups.',
  'Your rights are for the screens of {0}; {1} is none of these groups.':
    'You can change only the groups {0}, not {1}.',
  'Your rights are for the screens of {0}; {1} is shown on {2}, too.':
    'You can change only the screens of {0}. {1} is also on {2}.',
  'Your rights are for groups that are gone. An administrator of the workspace can give you others.':
    'The groups for which you have rights no longer exist. Ask an administrator of the workspace for new rights.',
  'Your rights in this workspace are for other things than this.':
    'Your rights in this workspace do not include this action. Ask an administrator of the workspace.',
  'This needs somebody who approves what is published.': 'Only approvers can do this.',
  'Publishing needs approval here. Put it into a playlist and ask for approval, or let somebody do it who approves.':
    'Publishing needs approval here. Add this to a playlist and ask for approval, or ask an approver to do it.',
  'Publishing needs approval here, and a plan that shows a content or widget by itself has none. Plan a playlist, or let somebody do it who approves.':
    'Publishing needs approval here. Plan a playlist instead of a single content item or widget, or ask an approver to do it.',
  '{0} is on screens, or waits for approval, and publishing needs approval here. Put something new into a playlist instead, or let somebody change it who approves.':
    '{0} is on screens or waiting for approval, so only approvers can change it. Add new content to a playlist instead, or ask an approver to change it.',
  'Only {0} can withdraw this. Whoever approves can refuse it.':
    'Only {0} can withdraw this request. Approvers can refuse it.',
  'The playlist was edited since it was asked for. It has to be asked for again, so that what you have seen is what is published.':
    'The playlist has been edited since approval was requested. Ask for a new request, so that you approve the current version.',
  'This was withdrawn, or asked for anew.': 'This request was withdrawn or replaced by a new one.',
  'Another backup is being brought in. Wait for it.': 'Another backup is being uploaded. Wait until it is finished.',
  '{0} is no backup of Vitrine, or is damaged': '{0} is not a Vitrine backup, or is damaged',
  '{0} keeps its database in the folder "database" beside it, where {1} file is missing.':
    '{0} keeps its database in the folder "database" next to it, where {1} file is missing.',
  '{0} keeps its database in the folder "database" beside it, where {1} files are missing.':
    '{0} keeps its database in the folder "database" next to it, where {1} files are missing.',
  'The disk is full: the backup could not be brought in to {0}.':
    'The disk is full: the backup could not be uploaded to {0}.',
  'Nobody would start this server again.':
    'This server was not started by a launcher, so nothing would restart it after the update. Start it with npm start or as a service.',
  'This server is no service of the computer: nothing would start it again.':
    'This server is not a service of the computer, so nothing would restart it.',
  'The database of plays is not reached. Headquarters comes back to it by itself; its log says what is wrong.':
    'The database of plays cannot be reached. Headquarters tries again automatically. See its log for the cause.',
  'Whoever answers at {0} is not the headquarters that was promised. Nothing was told to it.':
    'The server at {0} is not the expected headquarters. Nothing was sent to that server.',
  'Somebody stands between this server and headquarters.':
    'The connection between this server and headquarters is intercepted. Ask the administrator of your network.',
  'no answer came in time': 'there was no answer in time',
  'what answers is no server of Vitrine': 'the answer is not from a Vitrine server',
  'is none of a headquarters; it has six groups of four letters and digits':
    'is not an enrolment code; an enrolment code has six groups of four letters and digits',
  'is of another headquarters than the one at this address. Nothing was told to it.':
    'is a code from another headquarters than the one at this address. Nothing was sent to that address.',
  'Stores come by HTTPS, and this server does not speak it. Turn HTTPS on, then make a code.':
    'Stores connect over HTTPS, which is off on this server. Turn HTTPS on, then create a code.',
  'The store was told, and has not answered in time. It may have done it all the same.':
    'The store received the command but did not answer in time. The store may have run the command.',
  'The store was told, and its line broke before it answered. It may have done it; so that no screen is restarted or shut down twice, it is not told again.':
    'The store received the command, but the connection was lost before the answer. The store may have run the command. The command is not sent again, so that no screen restarts or shuts down twice.',
  '{0} does not let you in at the moment. Try again.': '{0} refuses the connection at the moment. Try again.',
  '{0} cannot be reached at the moment. Its screens go on as ever.':
    '{0} cannot be reached at the moment. Its screens keep playing.',
  'The store does not answer any more.': 'The store no longer answers.',
  'People of headquarters make no tokens here: they would be good without it.':
    'Visitors from headquarters cannot see, create or revoke tokens here, because a token would outlive their visit.',
  'What headquarters may do here is for the store’s own people to say.':
    'Visitors from headquarters cannot change the connection to headquarters or what headquarters may do here. A workspace administrator of the store can.',
  'Whether the store leaves headquarters is for its own people to say.':
    'Visitors from headquarters cannot change the connection to headquarters or what headquarters may do here. A workspace administrator of the store can.',
  'nothing was heard of it': 'no data arrived for too long',
  'The store could not do this. Its own log says why.': 'The store could not do this. See its log for the cause.',
  'This store does not let people of headquarters in.': 'This store does not allow visitors from headquarters.',
  'Your account is kept at headquarters. Change it there.':
    'Visitors from headquarters cannot see or change accounts and passwords here. Your own account is at headquarters; change it there.',
  'This e-mail address is not one with which to sign in here.': 'You cannot sign in here with this e-mail address.',
  'The store cannot be reached at the moment. What it shows goes on as ever.':
    'The store cannot be reached at the moment. Its screens keep playing.',
  'The store was told, and has not answered. It may have done it all the same.':
    'The store received the request but did not answer. The store may have carried out the request.',
  'This is too much to be told to a store at once.': 'This request is too large to send to a store.',
  'The store was asked to open its window, and did not come in time.':
    'The store did not open its window in time. Try again.',
  'This is done in the store itself.':
    'Accounts and passwords of this store are changed in the store itself, not from headquarters.',
  'the connection is not wanted any more': 'the connection is no longer needed',
  'The hub does not let this server in: {0}.': 'The hub refuses this server: {0}.',
  'Headquarters has not come to the hub.': 'Headquarters is not connected to the hub.',
  'Headquarters does not take a segment of this server’s plays: it {0}.':
    'Headquarters did not accept some plays of this server: the segment {0}.',
  'This comes from headquarters, with the campaign {0}. People of headquarters change it there. A copy of it you can change as you like.':
    'This comes from headquarters with the campaign {0}, so only headquarters can change it. Create a copy to change it here.',
  '{0} has no room in the place {1} of headquarters’ campaign {2}: no {3} may play there.':
    '{0} does not fit in the place {1} of the headquarters campaign {2}: not allowed there: {3}.',
  '{0} has no room in the place {1} of headquarters’ campaign {2}: items that may play there: {3}.':
    '{0} does not fit in the place {1} of the headquarters campaign {2}: items allowed there: {3}.',
  '{0} has no room in the place {1} of headquarters’ campaign {2}: all of it may last {3} s, and lasts {4} s.':
    '{0} does not fit in the place {1} of the headquarters campaign {2}: the limit is {3} s, and the playlist lasts {4} s.',
  sound: 'audio',
  'this is the playlist of one screen alone; choose or make another':
    'this playlist belongs to one screen; choose or create another',
  'What headquarters wants to be shown was not taken: it {0}. Screens go on as before.':
    'The instructions from headquarters were not accepted: the document {0}. Screens keep their current content.',
  'The campaign’s layout is not there any more. Choose another one.':
    'The campaign’s layout no longer exists. Choose another one.',
  'The campaign’s playlist is not there any more. Choose another one.':
    'The campaign’s playlist no longer exists. Choose another one.',
  'The widget {0} has a value where none can be put in. It stands in a text, or in an address behind its host.':
    'The widget {0} has a value where none is allowed. Use values in texts, and in addresses after the host name.',
  'A content of the campaign is not there any more. Choose another one.':
    'A content item of the campaign no longer exists. Choose another one.',
  'A widget of the campaign is not there any more. Choose another one.':
    'A widget of the campaign no longer exists. Choose another one.',
  'Something went wrong there since: {0}': 'An incident happened after the update began: {0}',
  'Nothing was heard of it for {0} minutes.': 'There was no contact with the store for {0} minutes.',
  'The stick was not taken in: it {0}. Nothing was changed.':
    'The file on the USB stick was not imported: the file {0}. Nothing was changed.',
  'has the number {0}, and the stick {1} was taken in before':
    'has the number {0}, but the file with the number {1} was already imported',
  'Another stick is being taken in. Wait until it is done.':
    'Another USB stick is being imported. Wait until the import is finished.',
  'Too many sticks are being taken in. Try again in a while.':
    'Too many USB sticks are being imported. Try again later.',
  '{0} is not enrolled. Take in what came back from it first.':
    '{0} is not enrolled yet. Import the first USB stick from this store first.',
  '{0} has not told its key for sticks yet. Update Vitrine there.':
    '{0} has not sent its encryption key for USB sticks yet. Update Vitrine in that store.',
  'Headquarters has not told its key for sticks yet. Update Vitrine there.':
    'Headquarters has not sent its encryption key for USB sticks yet. Update Vitrine at headquarters.',
  'This store does not let headquarters update its server.': 'This store does not allow updates from headquarters.',
  'Whether headquarters may update this server is for the platform’s administrator to say.':
    'Only a server administrator can allow updates from headquarters.',
  'Versions are brought to stores by people who may act in all regions.':
    'Only people with rights in all regions can roll versions out to stores.',
  'the browser has no page': 'the browser of this player has no open page',
  'the drivers of this machine still hang': 'the last check of this computer’s hardware has not ended yet',
  'the drivers of this machine did not answer within {0} s': 'the drivers of this computer did not answer within {0} s',
  'the drivers of this machine could not be asked': 'the hardware of this computer could not be checked',
  'the journal in {0} belongs to a newer version of this player':
    'the recorded plays in {0} were written by a newer version of this player; update this player',
  'widget data too large': 'the data of the widget is too large',
  'the font of emoji: {0}': 'the font for emoji could not be loaded (status {0})',
  'journal used while closed': 'the database of recorded plays is closed',
  'it did not load in time': 'loading took too long',
  'it has nothing to show: {0}': 'the page has nothing to show: {0}',
  'it no longer has anything to show: {0}': 'the page no longer has anything to show: {0}',
  'this player does not know how to show it':
    'this version of the player cannot show this kind of content; update the player',
  'the clip stopped moving': 'the playback stopped unexpectedly',
  'the PDF is no longer needed': 'the PDF was closed before it was loaded',
  'the file of the video cannot be read': 'the video file cannot be read',
  'the browser of this screen cannot show it': 'the browser of this screen cannot show this content',
  'the sound cannot be played': 'the audio cannot be played',
  'the player could not save that it has begun, and would do it again and again':
    'the player did not run the command: the start of the command could not be saved, so the command would run again after every restart',
  'it is not a web address': 'the address does not begin with http:// or https://',
  'it redirects without end': 'the address redirects too many times',
  'its certificate is not one that this player trusts': 'this player does not trust the certificate of the address',
  'the page does not allow to be shown within another (X-Frame-Options or frame-ancestors)':
    'the website does not allow other pages to show its page (X-Frame-Options or frame-ancestors)',
  'its page no longer responds: one of its scripts may be in an endless loop':
    'the page no longer responds: one of its scripts may be in an endless loop',
  'the process of its page ended': 'the page crashed',
  '{0}; its last image stays': '{0}; the last image stays on the screen',
  'it is shown again': 'the content is shown again',
  'it continues': 'the content continues',
  'the PDF wants a password': 'the PDF is protected by a password',
  'The disk of this player is full: {0}. Make room on it, or give it less to show.':
    'The disk of this player is full: {0}. Free some space on the disk, or show less content on this player.',
  'There is room on the disk of this player again.': 'The disk of this player has free space again.',
  'new files cannot be fetched': 'new files cannot be downloaded',
  'plays wait in memory, and are lost if the power fails':
    'new plays are only in memory and are lost if the power fails',
  'the address answers {0}': 'the address answers with the error {0}',
  'the file is missing': 'the file is missing on this player',
  'the page cannot be opened while the server is away': 'the page cannot be opened while the server cannot be reached',
  'This computer is too slow for transitions: items change without them until it restarts':
    'This computer is too slow for transitions: items change without transitions until the player restarts',
  'The owner of this token no longer belongs to its workspace':
    'The owner of this token is no longer a member of the token’s workspace. Use a token of a current member.',
  '{0} is set by an environment variable of the server’s computer ({1}). Change it there.':
    '{0} is set by an environment variable of the server’s computer ({1}). Change the variable there.',
  'No mail server is set': 'No mail server is configured. Enter one in Settings, Server.',
  'You are not a member of this workspace':
    'You are not a member of this workspace. Ask one of its administrators for an invitation.',
  'must differ from the one you were given': 'must differ from the password that you were given',
  'This server does not accept sign-ins from this identity provider':
    'This server does not accept sign-ins from this sign-in provider',
  'This e-mail address belongs to another account of the identity provider here. An administrator of this server can release it (People, Accounts).':
    'This e-mail address is connected to another account at the sign-in provider. An administrator of this server can disconnect that account (People, Accounts).',
  'This sign-in with the identity provider was used already. Sign in there again.':
    'This sign-in was already used. Sign in again with the sign-in provider.',
  'The first account needs the setup code that the server printed when it started. Send it as setup_code, or make the account on the server’s own computer.':
    'The first account needs the setup code that the server printed when it started. Enter the code (setup_code), or create the account on the server’s own computer.',
  'by password, but it signs in with an identity provider':
    'a password was used, but this account uses a sign-in provider',
  'call /totp/setup first': 'set up the authenticator app first (POST /api/auth/totp/setup)',
  'Two-factor is already on. Turn it off before you set it up again.':
    'Two-factor sign-in is already on. Turn it off before you set it up again.',
  'Two-factor is not on': 'Two-factor sign-in is not on',
  'You cannot delete yourself':
    'You cannot delete your own account. Another administrator of the server can delete your account.',
  '{0} owns {1}, which has other members. Remove them first, or keep the user.':
    '{0} owns {1}, which has other members. Remove those members first, or keep the user.',
  'you would lose your own role; another administrator must do this':
    'you cannot change your own role; ask another administrator of the server',
  'Only an owner of an organization the user belongs to, or an administrator of the server, may do this':
    'Only an owner of the user’s organization or an administrator of the server can reset this password',
  'You are in no organization': 'You do not belong to an organization, so you cannot create a workspace',
  'An organization has at most {0} workspaces':
    'An organization can have at most {0} workspaces. Delete one that is not needed, then try again.',
  'Only an owner or administrator of the organization may rename it':
    'Only an owner or administrator of the organization may rename the organization',
  'Only an owner or administrator may delete a workspace, while its organization is their current one':
    'Only an owner or administrator of the organization can delete this workspace. If you are one, switch to a workspace of that organization first.',
  'This is the organization’s last workspace; it cannot be deleted':
    'The last workspace of an organization cannot be deleted',
  'You are in no workspace yet. Ask for an invitation, or create one.':
    'You do not belong to a workspace yet. Ask for an invitation, or create a workspace.',
  'You are in no workspace': 'You do not belong to a workspace yet. Ask for an invitation, or create a workspace.',
  'A token acts as a member. You see this workspace as staff of the platform; become a member first.':
    'Only members of this workspace can create tokens. You see this workspace only as staff of the platform; become a member first.',
  'A workspace has at most {0} tokens; revoke some':
    'A workspace can have at most {0} tokens. Revoke tokens that are not needed, then try again.',
  'This address belongs to a member of the workspace already':
    'This e-mail address already belongs to a member of the workspace',
  'A workspace has at most {0} pending invites':
    'A workspace can have at most {0} pending invitations. Delete some invitations, then try again.',
  'This invite has expired. Ask for a new one.': 'This invitation has expired. Ask for a new invitation.',
  'This invite is for another e-mail address. Use that one.':
    'This invitation is for another e-mail address. Sign in with that address.',
  'The workspace of this invite no longer exists': 'The workspace of this invitation no longer exists',
  'An owner of an organization set your password, so it opens only that organization. Confirm it with the link in our e-mail to you, or ask an administrator of the server.':
    'An owner of an organization set your password, so the password works only for that organization. Confirm the password with the link in our e-mail to you, or ask an administrator of the server.',
  'Name the alerts by ids, or all of one kind':
    'Send either ids, for single alerts, or kind, for all alerts of one kind',
  'Take the alerts or assign them to somebody, not both': 'Send either taken or assigned_to, not both',
  'must be an administrator of the server, whose troubles these are':
    'must be an administrator of the server, because some of these alerts are about the server',
  '{0} has none': 'alerts of the kind {0} have no threshold',
  'This video is incomplete: the index that players need (moov) is missing, as when a recording was broken off. Copy it again, or export it again from the program that made it.':
    'This video is incomplete: its index (moov) is missing, for example because the recording was interrupted. Copy the video again, or export it again from the program that made it.',
  'This SVG image shows another file ({0}), which screens do not load. Embed that image in the SVG, or save it as PNG.':
    'This SVG image refers to another file ({0}), which screens do not load. Embed that file in the SVG image, or save the image as PNG.',
  'This animation is stored turned and has too many frames ({0}) to be turned here. Turn it in an image editor, save it and upload it again.':
    'This animation is rotated, and it has too many frames ({0}) for the server to turn it upright. Rotate the animation in an image editor, then upload it again.',
  'This image is stored turned and could not be turned here. Turn it in an image editor, save it and upload it again.':
    'This image is rotated, and the server could not turn it upright. Rotate the image in an image editor, then upload it again.',
  'it is a web page, and it names no feed': 'the address is a web page that names no feed',
  'This is a web page, and the feed that it names ({0}) is not a feed':
    'The address is a web page, and the feed address on that page ({0}) does not return a feed',
  'the end of the file is missing, and not one item is complete':
    'the end of the feed is missing, and none of its entries is complete',
  'This file is named like a {0} file and does not begin like one: it is damaged, or something else. Take another copy, or save it again in the program that made it.':
    'This file has the name of a {0} file, but its content is not: the file is damaged or of another type. Use another copy, or save the file again in the program that made it.',
  'The image has {0} megapixels ({1} × {2}); {3} {4}. A 4K screen needs 8: make it smaller.':
    'The image has {0} megapixels ({1} × {2}); {3} {4}. A 4K screen needs 8: make the image smaller.',
  '{0} is nothing that a screen can show': 'screens cannot show files of the type {0}',
  '{0} is not {1}; replace it with another file of type {2}':
    '{0} does not fit content of the kind {1}; send a media type of the kind {2}',
  'this content was uploaded and has no address; use replace to put another file in its place':
    'this content is an uploaded file and has no address; to change the file, use “Replace”',
  'The file is larger than this server takes ({0} bytes)': 'The file has {0} bytes, more than this server accepts',
  '{0} sends more than this server takes ({1} bytes)':
    '{0} sends a file of more than {1} bytes, the limit for this download',
  '{0} answered {1}': '{0} answered with the status {1}',
  'Not a SHA-256': 'The file has no SHA-256 hash as its name',
  '{0} broke off its answer': '{0} ended its answer too early',
  'must not carry a user name or password': 'must not contain a user name or password',
  '{0} is inside the network or reserved. An administrator can allow this host (Settings, Server).':
    '{0} is an address in your own network or a reserved address. An administrator can allow this host (Settings, Server).',
  'The file is larger than {0}, the most this server takes': 'The file is larger than {0}, the limit of this server',
  'A stored file is shorter than it was': 'A stored file has become shorter',
  'The folder of the media was removed while this was being saved. Send it again.':
    'The media folder of the server was removed while the file was being saved. Upload the file again.',
  'a folder cannot go into itself or into one beneath it':
    'a folder cannot be moved into itself or into one of its subfolders',
  'No place is called “{0}”': 'The weather service does not know the place “{0}”. Check the spelling.',
  'must not be nested more than {0} deep': 'must not be nested more than {0} levels deep',
  'The script of the page {0} contains what would end it':
    'The script of the page {0} contains </script> or <!--, which a script must not contain',
  '{0} would have more than {1} tags. Remove some of its tags first.':
    '{0} would have more than {1} tags. Remove some tags of this screen first.',
  'This screen hears more than one server, so that it has to be claimed with the code that it shows. Type that code.':
    'This screen is in contact with more than one server. To connect the screen to this server, enter the code that the screen shows.',
  'On a hosted server screens are claimed by the code that they show':
    'On a hosted server, a screen can be connected only with the code that the screen shows. Enter that code.',
  'The screens of {0} are those with the tags {1}. Change the tags of the screen, or take the rule away from the group.':
    'The group {0} contains all screens with the tags {1}. Change the tags of the screen, or remove the rule of the group.',
  'Each of the {0} schedules of {1} would become {2}, one for each screen; a workspace holds at most {3}. Delete its schedules first, or move them to another group.':
    'Each of the {0} schedules of {1} would become {2} schedules, one for each screen. A workspace can have at most {3} schedules. Delete the schedules of the group first, or move them to another group.',
  '{0} of the {1} screens have it now, the others not: {2}':
    '{0} of the {1} screens got the content. The other screens did not get the content: {2}',
  'a screen or group has at most {0} schedules': 'a screen or group can have at most {0} schedules',
  'must be a stored image': 'must be the id of an image that is stored on this server',
  'with these, the plans of their screens would be more than the {0} schedules that a workspace holds. Delete plans that are not needed, or plan for a group instead of a tag.':
    'with these tags, the plans would need more than the {0} schedules that a workspace can have. Delete plans that are not needed, or plan for a group instead of a tag.',
  'send content_id or playlist_id; null clears':
    'send content_id or playlist_id; send null to remove the content or playlist',
  'must be epoch seconds': 'must be a time in epoch seconds',
  'With what comes back the workspace would have more than the {0} schedules that it holds.':
    'With the restored plans, the workspace would have more than the {0} schedules that it can have.',
  'Delete plans that are not needed, then restore it again.':
    'Delete plans that are not needed, then try the restore again.',
  '{0} is there already': '{0} already exists, so it cannot be restored',
  'None of the screens and groups that {0} was for are left':
    'The screens and groups of the plan {0} no longer exist. Create a new plan.',
  '{0} was deleted, too. Restore it first, then this file.':
    'The content {0} was deleted, too. Restore the content first, then this file.',
  'You have {0} views already; delete one that you do not need':
    'You already have {0} views. Delete a view that you do not need, then try again.',
  'must be words like status': 'must be names of letters and underscores, like status',
  'must be at most {0} members': 'must be at most {0} values',
  'must be item ids': 'must be the ids of playlist items',
  'more than {0} of these would run at the same time, since each lasts from start_time to end_time. Let end_time be the end of the first one, and say in recurrence_end when they stop.':
    'more than {0} repetitions would run at the same time, because each repetition lasts from start_time to end_time. Set end_time to the end of the first repetition, and recurrence_end to the last day.',
  'A workspace holds at most {0} schedules, and each screen and group of a plan counts. Delete plans that are not needed, or plan for groups.':
    'A workspace can have at most {0} schedules: each plan counts once for each of its screens and groups. Delete plans that are not needed, or plan for groups instead of screens.',
  'A workspace holds at most {0} {1}s': 'A workspace can have at most {0} {1}s',
  'This playlist was never published: there is nothing to go back to':
    'This playlist was never published, so it has no published version to return to',
  'A playlist holds at most {0} items':
    'A playlist can have at most {0} items. Delete items that are not needed, or use another playlist.',
  'must name each of the playlist’s {0} items exactly once':
    'must contain the id of each of the playlist’s {0} items exactly once',
  'A layout holds at most {0} zones': 'A layout can have at most {0} zones',
  'names the same zone as another': 'is the id of a zone that is already in this list',
  'Templates are read-only. Duplicate it, then change the copy.':
    'Templates cannot be changed. Duplicate the template, then change the copy.',
  'must be a member of the wall; a new wall has none':
    'must be a screen of the video wall; add screens to the new video wall first',
  'must be a member of the wall': 'must be a screen of the video wall',
  '{0} would be outside the grid. Move it first.':
    'The screen {0} would be outside the grid. Move the screen to another cell first.',
  'is in the list twice': 'is the id of a screen that is already in this list',
  'shares cell {0} with another': 'the cell {0} already has another screen',
  'this week has more than {0} instances, the last of them of “{1}”. Delete schedules that are not needed.':
    'this screen has more than {0} scheduled times in this week; the limit was reached at the schedule “{1}”. Delete schedules that are not needed.',
  'The export has {0} {1}; an import takes at most {2}. Nothing was changed.':
    'The export has {0} {1}; an import accepts at most {2}. Nothing was changed.',
  'The files of the export become {0} when they are unpacked; for what was sent at most {1} are taken. Nothing was changed.':
    'The unpacked files of the export have {0}; for an upload of this size an import accepts at most {1}. Nothing was changed.',
  'This workspace takes too long or too much memory to be exported. Try again when the server is less busy.':
    'The export of this workspace needs too much time or memory. Try again when the server is less busy.',
  'The content {0} was left out: {1}': 'The content {0} was not imported: {1}',
  'The widget {0} was left out: {1}': 'The widget {0} was not imported: {1}',
  'The kiosk page {0} was left out: {1}': 'The kiosk page {0} was not imported: {1}',
  'The layout {0} was left out: {1}': 'The layout {0} was not imported: {1}',
  'The playlist {0} was left out: {1}': 'The playlist {0} was not imported: {1}',
  'An item of the playlist {0} was left out: {1}': 'An item of the playlist {0} was not imported: {1}',
  '{0} items of the playlist {1} were left out: {2}': '{0} items of the playlist {1} were not imported: {2}',
  'That the playlist {0} is published was left out: {1}': 'The playlist {0} was imported, but not published: {1}',
  'The group {0} was left out: {1}': 'The group {0} was not imported: {1}',
  'The schedule {0} was left out: {1}': 'The schedule {0} was not imported: {1}',
  'The item {0} was left out: {1}': 'The item {0} was not imported: {1}',
  'it has {0} zones; a layout holds at most {1}': 'the layout has {0} zones; a layout can have at most {1}',
  'it has {0} items; a playlist holds at most {1}': 'the playlist has {0} items; a playlist can have at most {1}',
  'it has {0} times at which it plays; an item has at most {1}':
    'the item has {0} play times; an item can have at most {1}',
  'its file has {0}, more than the {1} that this server takes':
    'the file has {0}, more than the {1} that this server accepts',
  'it is larger than {0}': 'the entry is larger than {0}',
  'its file would become {0} times as large as it was sent, more than the {1} times that are possible':
    'the unpacked file would be {0} times as large as the packed file; the limit is {1} times',
  'its file is not in the export': 'the file is not in the export',
  'what they show is not there': 'their content or widget was not imported',
  'it is for no screen and no group': 'the schedule has no screen or group on this server',
  'Something is being imported into this workspace already. Wait until that has ended, then try again.':
    'Another import into this workspace is still running. Wait until it is finished, then try again.',
  'This is not an export. Send a ZIP from Vitrine, or a ZIP or JSON from screentinker.':
    'This file is not an export. Send a ZIP from Vitrine, or a ZIP or JSON from screentinker.',
  'The export’s description is larger than {0}, the limit of an import. Nothing was changed.':
    'The JSON file of the export is larger than {0}, the limit of an import. Nothing was changed.',
  'The export’s description has {0} values; an import accepts at most {1}. Nothing was changed.':
    'The JSON file of the export has {0} values; an import accepts at most {1}. Nothing was changed.',
  'The export’s description is nested {0} levels deep; an import accepts at most {1}. Nothing was changed.':
    'The JSON file of the export is nested {0} levels deep; an import accepts at most {1}. Nothing was changed.',
  'This export takes more memory than an import may have. Nothing was changed.':
    'This export needs more memory than an import may use. Nothing was changed.',
  'The ZIP has {0} entries; an import takes at most {1}': 'The ZIP has {0} entries; an import accepts at most {1}',
  'it is packed in a way that is not known here': 'the file is encrypted or packed with an unsupported method',
  'it is larger than the ZIP says': 'the unpacked file is larger than the ZIP states',
  'it is damaged': 'the file in the ZIP is damaged',
  'it overlaps another file of the ZIP': 'the file overlaps another file in the ZIP',
  'No file of {0} that screens take is signed: upload the .sig files that the build left beside its files, too':
    'No file of {0} for screens has a signature. Upload also the .sig files that the build created next to its files.',
  'Another rollout is under way: finish or abort it first':
    'Another rollout is running. Finish or abort that rollout first.',
  'The rollout is {0}': 'This is not possible, because the rollout is {0}',
  'this is no signature; it must be the {0} file as the build made it, 128 hexadecimal digits':
    'this file is not a signature; send the unchanged {0} file from the build, which has 128 hexadecimal digits',
  'A rollout of {0} is under way: its files cannot be changed':
    'A rollout of {0} is running, so the files of this version cannot be changed. Finish or abort the rollout first.',
  '{0} is not on this server: upload it first, then its signature':
    '{0} is not on this server. Upload that file first, then its signature.',
  'this is not the signature of the {0} that is here, by the publisher of this server; build both again, and upload both unchanged':
    'this signature does not belong to the uploaded file {0} and the publisher of this server; build the file and its signature again, then upload both unchanged',
  'A rollout of {0} is under way: abort it first': 'A rollout of {0} is running. Abort the rollout first.',
  '{0} is a development build, which nobody has signed; screens take releases only, which are packaged with a release key':
    '{0} is an unsigned development build; screens install only releases, which are packaged with a release key',
  'the name {0} does not say what it is; it must be as the build made it, like Vitrine-1.2.0-linux-x64.tar.gz':
    'the name {0} is not the name of a release file; keep the name from the build, like Vitrine-1.2.0-linux-x64.tar.gz',
  'certificate and key do not belong together':
    'the certificate and the key do not belong together; use the key of this certificate',
  'The certificate is being made': 'The server is still creating its certificate. Try again in a moment.',
  'The folder of backups, {0}, is not there. Is its disk plugged in?':
    'The backup folder {0} does not exist. Check whether its disk is connected.',
  '{0} is too long a name for a backup': 'The file name {0} is too long for a backup',
  'Stop it and use "vitrine restore".': 'Stop the server, then use "vitrine restore".',
  'It was made by a newer version of Vitrine ({0}).': 'The backup was made by a newer version of Vitrine ({0}).',
  'There is too little space to unpack it: {0} MB are needed, {1} MB are free.':
    'The disk has too little free space for unpacking: {0} MB are needed, {1} MB are free.',
  'Its database was not made by Vitrine alone: {0}.': 'The database of the backup was changed outside of Vitrine: {0}.',
  'Use a backup that nobody has changed.': 'Use an unchanged backup.',
  'Its database is damaged ({0}).': 'The database of the backup is damaged ({0}).',
  'must be the whole address; {0} stands for what is not shown of the present one':
    'must be the complete address; {0} is only a placeholder for the hidden part of the current address',
  'The thread ended': 'The task was interrupted. Try again.',
  'The file of this address was not fetched yet. Convert it when the server has a copy.':
    'The server has not downloaded the file of this address yet. Convert the file when the server has a copy.',
  'Only videos and sounds can be converted. {0} is another kind of content.':
    'Only video and audio files can be converted. {0} is another kind of content.',
  'The person who started the conversion signed out before it was finished. Start it again.':
    'The person who started the conversion signed out before the conversion was finished. Start the conversion again.',
  '{0} was changed by somebody else in the meantime. Load it again, then repeat your change.':
    '{0} was changed by somebody else in the meantime. Reload, then repeat your change.',
  'The server’s disk failed while this was being saved: whether it was saved is not known. Look again once the disk works.':
    'The server’s disk failed while your change was being saved. Your change may be lost. Check the result when the disk works again.',
  '{0} MB of it are media and releases that nothing refers to (media-aside, updates-aside); they go by themselves, the oldest first.':
    '{0} MB are unused media and versions (folders media-aside and updates-aside). The server deletes them automatically, the oldest first.',
  'There is room on the server’s disk again ({0} free).': 'The server’s disk has free space again ({0}).',
  'At the present rate it is full in {0} days.': 'At the current rate, the disk is full in {0} days.',
  'Until the clock is right again, the screens agree with it or an administrator confirms it, nothing old is deleted, no backup is removed, and plays wait on the screens.':
    'Until the server can trust the clock again, the server deletes no old data and no backups, and plays stay on the screens.',
  'The certificate that browsers were given before ends on {0}: give them the new one (Server, HTTPS, “Download the certificate”) before that day.':
    'The previous certificate, which is installed in browsers, expires on {0}. Before that day, install the new certificate in the browsers (Server, HTTPS, “Download the certificate”).',
  'The certificate that browsers were given before ended on {0}: give them the new one (Server, HTTPS, “Download the certificate”).':
    'The previous certificate, which is installed in browsers, expired on {0}. Install the new certificate in the browsers (Server, HTTPS, “Download the certificate”).',
  'Screens get it automatically.': 'Screens get the new certificate automatically.',
  'The certificate that this server was given for HTTPS ends on {0}.':
    'The HTTPS certificate of this server expires on {0}.',
  'The certificate that this server was given for HTTPS ended on {0}.':
    'The HTTPS certificate of this server expired on {0}.',
  'Put a new one in its place; it is read again by itself.':
    'Replace the certificate file with a new certificate; the server reads the file again automatically.',
  'Videos upload and play all the same, but have no thumbnail and cannot be converted.':
    'Videos can still be uploaded and played, but they have no thumbnail and cannot be converted.',
  'Install ffmpeg on this computer for both.': 'Install ffmpeg on this computer.',
  'The backups are being searched for them.': 'The server is searching the backups for these files.',
  'No backup within reach has them whole.': 'No connected backup has undamaged copies of these files.',
  'Upload them again with "Replace", or plug in the disk of an older backup.':
    'Upload the files again with "Replace", or connect the disk of an older backup.',
  '{0} file of the backups in {1} is damaged: its disk may be dying.':
    '{0} file of the backups in {1} is damaged: the disk may be failing.',
  '{0} files of the backups in {1} are damaged: its disk may be dying.':
    '{0} files of the backups in {1} are damaged: the disk may be failing.',
  'The next backup replaces what the server still has; make backups on another disk as well.':
    'The next backup replaces the damaged files that the server still has. Also make backups on another disk.',
  'The file keys/secrets.key is missing: nobody with two-factor sign-in can use their app.':
    'The file keys/secrets.key is missing, so two-factor sign-in with an authenticator app does not work.',
  'Restore it from a backup ("vitrine restore FILE --keys-only"); until then recovery codes work.':
    'Restore the file from a backup ("vitrine restore FILE --keys-only"). Recovery codes still work.',
  'The server keeps running now, but cannot start again without it: restore it from a backup now ("vitrine restore FILE --keys-only").':
    'The server still runs, but cannot start again without this file. Restore the file from a backup now ("vitrine restore FILE --keys-only").',
  'No broker is set': 'No MQTT broker is configured',
  'The server’s disk fails: its database cannot be written or read ({0}).':
    'The server’s disk is failing: the database cannot be written or read ({0}).',
  '{0} cannot be written ({1}): the disk or the file is read only.':
    '{0} cannot be written ({1}): the disk or the file is read-only.',
  'Mount it for writing, or choose another folder.': 'Make the disk or file writable, or choose another folder.',
  'must set something, or name a group to join or to leave':
    'must contain at least one change: a field to set, or a group to add or remove',
  'must name each screen once': 'must contain each screen only once',
  'must be the last part of the link': 'must be the code at the end of the link',
  'must differ from start': 'must not be the same time as start',
  'Another of your views is called {0}. Choose another name, or delete that one first.':
    'You already have a view with the name {0}. Choose another name, or delete that view first.',
  'COUNT and UNTIL exclude each other': 'COUNT and UNTIL cannot be used together; remove one of them',
  'BYMONTHDAY does not go with FREQ=WEEKLY': 'BYMONTHDAY cannot be used with FREQ=WEEKLY',
  'BYDAY has weekdays like MO or -1FR, not {0}': 'BYDAY must contain weekdays like MO or -1FR, not {0}',
  '{0} is the own playlist of the screen {1}. Its edits are published at once, so only approvers can edit it. Use another playlist and ask for approval, or ask an approver to edit it.':
    '{0} is the playlist of the screen {1} only. Every edit of this playlist is published at once, so only approvers can edit it. Use another playlist and ask for approval, or ask an approver to edit this playlist.',
  'There is nothing to publish: screens have all of it.':
    'This playlist has no changes to publish. Screens already show its current version.',
  'This waits for approval already; {0} has asked for it.': '{0} already asked for approval. Wait for the answer.',
  'Only members who approve, and administrators, decide about this.':
    'Only approvers and administrators can answer this request.',
  '{0} has decided about this already.': '{0} has already answered this request.',
  'You do not have the right to do this in this workspace.':
    'Your rights in this workspace do not include this action. Ask an administrator of the workspace.',
  'This backup is here already: {0}.': 'This backup is already on the server: {0}.',
  'The file is empty: there is no backup in it.': 'The file is empty and contains no backup.',
  '{0} breaks off': '{0} is incomplete: the end of the backup is missing',
  '{0} is not there': '{0} does not exist',
  '{0} broke off while it was written: it is no whole backup':
    '{0} is incomplete, because writing the backup was interrupted. Use another backup.',
  '{0} holds {1}, which no backup has': '{0} contains {1}, which does not belong in a backup',
  '{0} holds {1} twice': '{0} contains {1} twice',
  '{0} holds a key that is larger than any': '{0} contains a key file that is too large',
  '{0} holds more files than a backup can have': '{0} contains more files than a backup can have',
  '{0} lacks the key {1}': '{0} does not contain the key {1}',
  'The database in {0} is damaged: {1} is not what it was':
    'The database in {0} is damaged: {1} has other content than when the backup was made',
  '{0} is shorter than it was': '{0} has become shorter since the backup began',
  '{0} cannot be read twice the same': '{0} returns different content each time it is read. Check the disk.',
  'Its database is none of Vitrine.': 'The database of the backup is not a Vitrine database.',
  'Its database is not the one that it was made of.':
    'The database of the backup does not match the description of the backup.',
  'The key of its server is missing or damaged.': 'The server key in the backup is missing or damaged.',
  'Its database does not belong to the key of its server.':
    'The database and the server key of the backup do not belong together.',
  'Make room for {0} more.': 'Free another {0}.',
  'These are too many different programs to be counted at once. Ask for a shorter period or fewer screens.':
    'This report has too many different programs. Ask for a shorter period or fewer screens.',
  'Version {0} is not on this server: upload its files first':
    'Version {0} is not on this server. Upload the files of this version first.',
  'these are no notes of a release; take the file as the build made it':
    'this file has no release notes; send the unchanged file from the build',
  'these notes are not as the publisher of this server has signed them; take the file as it was built':
    'these release notes have no valid signature of this server’s publisher; send the unchanged file from the build',
  'Version {0} is not newer than what runs, {1}.': 'Version {0} is not newer than the running version {1}.',
  'A version is being installed already. Wait for it.':
    'Another version is being installed. Wait until the installation is finished.',
  'There is no version to go back to.': 'This server has no earlier version to return to.',
  'The backup from before the update is gone: the version before could not read what is stored now.':
    'The backup from before the update no longer exists. Without that backup the server cannot return to the earlier version, because the earlier version cannot read the current data.',
  '{0} is not as the publisher of this server has signed it. Upload it again.':
    '{0} does not match the signature of this server’s publisher. Upload the file again.',
  '{0} is not as the publisher of this server has signed it.':
    '{0} does not match the signature of this server’s publisher.',
  'Version {0} holds no server for this computer.': 'Version {0} contains no server for this computer.',
  'Version {0} brings another Node, which the firewall of this computer does not know: install it with its installer.':
    'Version {0} contains another Node, which the firewall of this computer does not allow yet. Install this version with its installer.',
  'This server runs from its sources, which nobody has signed. It takes no releases: fetch the new sources, and start it again.':
    'This server runs from unsigned source code, so it cannot install releases. Fetch the new source code, then restart the server.',
  'This server is a development build, which nobody has signed. It takes no releases: install a release over it.':
    'This server is an unsigned development build, so it cannot install releases. Install a release over this server.',
  'This server was installed as a package of the system, which looks after its versions.':
    'This server was installed as a system package. Update the server with the package manager of the system.',
  'it did not come up': 'the version did not start',
  'it was not started': 'the version was not started',
  'it ended with {0}': 'the program ended with {0}',
  'it did not answer in time': 'the version did not answer in time',
  'it stopped answering': 'the version stopped answering',
  'it does not lie on the disk as a whole': 'the files of the version are incomplete on the disk',
  'its file {0} is damaged': 'the file {0} of the version is damaged',
  'its files cannot be read: {0}': 'the files of the version cannot be read: {0}',
  'it holds no program for this machine': 'the version contains no program for this computer',
  'Another headquarters uses the database of plays. This one takes over when that one ends.':
    'Another headquarters is using the database of plays. This headquarters takes over when the other one ends.',
  'The database of plays is not used. {0}': 'The database of plays cannot be used. {0}',
  'It is PostgreSQL {0}. Plays need PostgreSQL 15 or newer.':
    'The database runs PostgreSQL {0}. Vitrine needs PostgreSQL 15 or newer.',
  'Its encoding is {0}. Make one with UTF8: createdb --encoding UTF8 --template template0 NAME':
    'The database has the encoding {0}. Create a database with UTF8: createdb --encoding UTF8 --template template0 NAME',
  'It is a standby, which takes nothing. Give the address of its primary.':
    'The database is a read-only standby. Enter the address of the primary database.',
  'A newer version of Vitrine has changed it. Start that one.':
    'A newer version of Vitrine has changed the database. Start that newer version.',
  'It belongs to another headquarters, whose key has the fingerprint {0}. Give each headquarters a database of its own.':
    'The database belongs to another headquarters, whose key has the fingerprint {0}. Use a separate database for each headquarters.',
  'It is another database than the one with the plays of this headquarters. Give the address of that one. Where it is lost: vitrine hq move, and stores send again what they still have.':
    'The database is not the one that contains the plays of this headquarters. Enter the address of that database. If that database is lost, run vitrine hq move; stores then send the plays again that they still have.',
  'The plays of this headquarters are still in its data folder. Stop it and move them first: vitrine hq move':
    'The plays of this headquarters are still in its data folder. Stop headquarters, then move the plays: vitrine hq move',
  'A change from before is still being done there. It is looked at again in a moment.':
    'An earlier change of the database is still running. Headquarters checks again in a moment.',
  'Plays of this store were taken by another program in the same moment.':
    'Another program stored plays of this store at the same time.',
  '{0} Plays stay here until then.': '{0} Plays stay on the server of the store until then.',
  'Single plays of {0} are not on this computer: headquarters was restored without its folder “chain”. The sums are whole. Put the folder back, or leave the store out.':
    'The single plays of {0} are not on this computer, because headquarters was restored without its folder “chain”. The totals are complete. Put the folder back, or exclude this store.',
  'Headquarters answers what this version of Vitrine does not understand.':
    'Headquarters sent an answer that this version of Vitrine does not understand. Update Vitrine on this server.',
  'Headquarters at {0} does not speak HTTPS. Turn it on there, then try again.':
    'Headquarters at {0} does not use HTTPS. Turn on HTTPS there, then try again.',
  'Another server than this headquarters answers at {0}. Nothing was sent to it.':
    'The server at {0} is not the expected headquarters. Nothing was sent to that server.',
  'The connection between this server and headquarters is intercepted.':
    'The connection between this server and headquarters is intercepted. Ask the administrator of your network.',
  'nothing answers there': 'nothing answers at this address',
  'its name is not known in this network': 'this network does not know the host name',
  'this network has no way there': 'this network has no route to the address',
  'it closed the connection': 'the other side closed the connection',
  'there was no contact': 'no data arrived for too long',
  'what it says is too long': 'a message from headquarters is too long',
  'it is not known there under this name; use its IP address':
    'the server does not accept this host name; use the IP address of the server',
  'Plays could not be made ready for headquarters. They are tried again.':
    'This server could not prepare plays for headquarters. The server tries again automatically.',
  'is not an enrolment code; it has six groups of four letters and digits':
    'is not an enrolment code; an enrolment code has six groups of four letters and digits',
  'is from another headquarters than the one at this address. Nothing was sent to it.':
    'is a code from another headquarters than the one at this address. Nothing was sent to that address.',
  'No headquarters that made this code answers there.':
    'The headquarters that created this code does not answer at this address.',
  'Check the address and the code, or ask the administrator of the server: its log has the reason.':
    'Check the address and the code, or ask the administrator of the server. The log of the server contains the reason.',
  'This workspace is being enrolled at the moment.':
    'This workspace is already being enrolled. Wait until the enrolment is finished.',
  'This workspace belongs to a headquarters already. Leave that one first.':
    'This workspace already belongs to a headquarters. Leave that headquarters first.',
  'is not one that is good now: it may be used up or too old. Have a new one made at headquarters.':
    'is not valid: the code may be used up or too old. Create a new code at headquarters.',
  'This server is enrolled already, as {0}. Leave there first.':
    'This server is already enrolled as the store {0}. That store must leave headquarters first.',
  'Headquarters is asked too often. It is asked again in a while.':
    'Headquarters receives too many requests. This server tries again later.',
  'It is larger than {0} bytes.': 'The request is larger than {0} bytes.',
  'Headquarters is busy with other stores. Plays stay here until it has time.':
    'Headquarters is busy with other stores. Plays stay on this server until headquarters has time.',
  'Headquarters is still busy with plays of this server. They stay here until it has time.':
    'Headquarters is still busy with earlier plays of this server. Further plays stay on this server until headquarters has time.',
  'Headquarters cannot answer just now. It is asked again in a while.':
    'Headquarters cannot answer now. This server tries again later.',
  'Headquarters of this version does not know what it is asked.':
    'This version of headquarters does not know this request. Update Vitrine at headquarters.',
  'It is no JSON.': 'The request is not valid JSON.',
  'It took too long to sign in to headquarters. Try again.': 'The sign-in to headquarters took too long. Try again.',
  'Headquarters does not know this server (any more): it was removed there, or another one has taken its place. Leave headquarters, and enrol with a new code.':
    'Headquarters does not know this server: the server was removed there, or another server has replaced it. Leave headquarters, then enrol with a new code.',
  'must name each store once': 'must contain each store only once',
  'must name each region once': 'must contain each region only once',
  'No enrolled store is meant by this. Nothing was sent.':
    'No enrolled store matches this selection. Nothing was sent.',
  'At most {0} commands to stores can be under way. Wait until some are done, or take some back.':
    'At most {0} commands to stores can be open at the same time. Wait until some commands are finished, or cancel some.',
  'A personal access token opens no store; sign in':
    'A personal access token cannot open a store. Sign in with your account.',
  '{0} is not enrolled. Have a code made for it first.':
    '{0} is not enrolled. Create an enrolment code for this store first.',
  'Headquarters does not wait for this connection (any more).': 'Headquarters no longer waits for this connection.',
  'This server stops.': 'This server is stopping.',
  'This store’s version of Vitrine does not know this command yet.':
    'This store’s version of Vitrine does not know this command yet. Update Vitrine in the store.',
  'This store’s version of Vitrine cannot do this yet.':
    'This store’s version of Vitrine cannot do this yet. Update Vitrine in the store.',
  'This store’s version of Vitrine does not understand this.':
    'This store’s version of Vitrine does not understand this request. Update Vitrine in the store.',
  'The store is busy with what headquarters asked before.':
    'The store is busy with earlier requests of headquarters. Try again later.',
  'The store received this but did not answer. It may have done it.':
    'The store received the request but did not answer. The store may have carried out the request.',
  'The store received the command but did not answer in time. It may have run it.':
    'The store received the command but did not answer in time. The store may have run the command.',
  'The store received the command, but the connection was lost before it answered. It may have run it. The command is not sent again, so that no screen restarts or shuts down twice.':
    'The store received the command, but the connection was lost before the answer. The store may have run the command. The command is not sent again, so that no screen restarts or shuts down twice.',
  'The store has not answered yet what it was asked before. Try again in a while.':
    'The store has not answered earlier requests yet. Try again later.',
  'This is too large to send to a store.': 'This request is too large to send to a store.',
  'The store’s answer makes no sense to this version of Vitrine.':
    'The store sent an answer that headquarters does not understand. Update Vitrine at headquarters.',
  'The store did not open its window in time.': 'The store did not open its window in time. Try again.',
  'Headquarters does not say who asks.': 'The request from headquarters does not name the person.',
  'The line is closed.': 'The connection is closed.',
  'what it wants to have signed is none of a hub': 'the hub sent an invalid text for the signature',
  'Headquarters’ disk is full or fails. Plays stay here until it is well again.':
    'The disk of headquarters is full or failing. Plays stay on the server of the store until the disk works again.',
  '{0} does not fit in the place {1} of the headquarters campaign {2}: the limit is {3} s, and it lasts {4} s.':
    '{0} does not fit in the place {1} of the headquarters campaign {2}: the limit is {3} s, and the playlist lasts {4} s.',
  'headquarters has this playlist; choose one of the store’s own':
    'this playlist comes from headquarters; choose a playlist that was created in this store',
  '{0} was never published; publish it first, then it can play there':
    '{0} was never published; publish this playlist first',
  'This comes from headquarters, which ends its campaigns itself. Leave headquarters first.':
    'Only headquarters can end this campaign. To remove the campaign from this store, leave headquarters first.',
  'is not signed by it': 'is not signed by headquarters',
  'is of a newer version than this server: update Vitrine here':
    'comes from a newer version of Vitrine: update Vitrine on this server',
  'is older ({0}) than what this server has ({1})':
    'has the revision {0}, but this server already has the revision {1}',
  'It is of a newer version than this server: update Vitrine here.':
    'The campaign comes from a newer version of Vitrine: update Vitrine on this server.',
  'It is another campaign than headquarters named.':
    'The received campaign is not the campaign that headquarters announced.',
  'It is too long.': 'The campaign is too large.',
  'A file of it cannot be fetched: {0}.': 'A file of the campaign cannot be fetched: {0}.',
  'What it shows cannot be fetched: {0}.': 'The description of the campaign cannot be fetched: {0}.',
  'its bytes are others than headquarters named': 'the received data does not match the checksum from headquarters',
  'what came of it before is too long': 'the part that was received before is too long',
  'headquarters has less of it than it named': 'the file at headquarters is shorter than announced',
  'it is not as long as headquarters named': 'the file does not have the length that headquarters announced',
  'it is longer than headquarters named': 'the file is longer than headquarters announced',
  'Headquarters does not have it.': 'Headquarters does not have the file.',
  'Headquarters does not have all that it needs.': 'Headquarters does not have all files of the campaign.',
  'There is no room on this server’s disk for what it needs.':
    'This server’s disk is too full for the files of the campaign. Free some space.',
  'This server’s disk does not take what it needs.':
    'The files of the campaign cannot be written to this server’s disk. Have the disk checked.',
  'This store’s version of Vitrine does not understand when it is to be shown.':
    'This store’s version of Vitrine does not understand the times of the campaign. Update Vitrine in the store.',
  '{0} has the id of something of another workspace of this server.':
    '{0} has an id that another workspace of this server already uses.',
  'Headquarters sends at most {0} files at once to a store.':
    'Headquarters sends a store at most {0} files at the same time.',
  'Headquarters is busy with files of other stores. It is asked again in a while.':
    'Headquarters is busy with files of other stores. This server tries again later.',
  'Nothing that is wanted of this store is called so, or it is not there any more.':
    'The desired state of this store contains no file with this hash, or the file no longer exists.',
  'The campaign has nothing to show. Choose a playlist or a layout in which there is something.':
    'The campaign has nothing to show. Choose a playlist or layout that is not empty.',
  'The campaign has too much in it for stores to take. Divide it into several.':
    'The campaign is too large for stores. Divide the campaign into several campaigns.',
  'The widget {0} has two braces that no value follows. Write {{price}} for a value, and four braces for two.':
    'The widget {0} has two braces that are not followed by the name of a value. Write {{price}} for a value, and four braces to show two braces.',
  'The campaign’s widgets have more than {0} places for values. Divide it into several.':
    'The widgets of the campaign use values in more than {0} places. Divide the campaign into several campaigns.',
  'It shows values of this store that headquarters has not said: {0}{1}. They are said there, on the store’s page.':
    'The campaign needs values of this store that are missing at headquarters: {0}{1}. Enter the values at headquarters, on the page of this store.',
  'It shows values of this store in an address, which becomes too long. Headquarters has to shorten them.':
    'The campaign puts values of this store into an address, which becomes too long. Shorten the values at headquarters.',
  'line {0} has quotes that do not end': 'line {0} has an opening quote without a closing quote',
  'must have at most {0} columns of values, and not {1}': 'must have at most {0} columns of values, not {1}',
  '{0} is no name of a value: it has letters, digits and _, at most {1}':
    '{0} is not a valid name of a value: use at most {1} letters, digits and _',
  '{0} has two columns: remove one of them': 'The value {0} has two columns: remove one column',
  'The first line names no value: each has a column': 'The first line has no name of a value: give each value a column',
  'There is no store of the name or id “{0}”': 'There is no store with the name or id “{0}”',
  '{0} is in line {1} already: remove one of both': 'The store {0} is already in line {1}: remove one of the two lines',
  '{0} would have more than {1} values': 'The store {0} would have more than {1} values',
  'The cell has control characters, which no value has':
    'The cell contains control characters: remove these characters',
  'The file of {0} is not there yet. Start the campaign once it is.':
    'The file of {0} is not on this server yet. Start the campaign when the file is there.',
  'The widget {0} shows {1} of this server, which stores do not have. Put it into the library, and choose it there.':
    'The widget {0} shows {1} of this server, which stores do not have. Add that file to the content of this server, then choose the content in the widget.',
  'The widget {0} shows the kiosk page {1}, and kiosk pages cannot be sent to stores. Take it out of the campaign.':
    'The widget {0} shows the kiosk page {1}, and kiosk pages cannot be sent to stores. Remove the widget from the campaign.',
  'There are {0} campaigns already. Delete some that are over.':
    'There are already {0} campaigns, which is the limit. Delete campaigns that are over.',
  'Stores have {0}. Stop it first.': 'The campaign {0} is still in stores. Stop the campaign first.',
  'Stores would refuse this, since they lack values that it needs. These values, each with the number of stores: {0}. Give stores the values, or start it all the same with lacking: true.':
    'Some stores would refuse the campaign, because they have no values for it. Missing values, each with the number of stores: {0}. Enter the values for these stores, or start the campaign anyway with lacking: true.',
  '{0} does not wait for approval.': 'The campaign {0} is not waiting for approval.',
  'You have asked for this yourself. Somebody else has to start it who approves.':
    'You asked for approval of this campaign yourself. Another approver must start the campaign.',
  '{0} does not run.': 'The campaign {0} is not running.',
  'Edition {0} of {1} is not kept. Choose another one.':
    'Edition {0} of the campaign {1} is no longer stored. Choose another edition.',
  '{0} has {1} campaigns already. Stop some that are over.':
    'The store {0} already has {1} campaigns, which is the limit. Stop campaigns that are over.',
  'are places in a playlist. Choose one first': 'are places in a playlist; choose a playlist first',
  'must be without an offset, since it is meant by the clock of each store':
    'must be a time without a time zone, because each store uses its own local time',
  'You only look at stores in {0}: {1} is one.':
    'You can view stores in the region {0}, but not change them. {1} is in this region.',
  'This campaign reaches stores outside of the regions that you decide about. Choose among yours.':
    'This campaign includes stores outside your regions. Choose only stores in your regions.',
  'No file of {0} is signed: upload the .sig files that the build left beside its files, too':
    'No file of {0} has a signature. Upload also the .sig files that the build created next to its files.',
  'A segment of the store was refused: it {0}.': 'A segment of the store was refused: the segment {0}.',
  'The store {0}: a copy of its server has been running, or its disk was put back.':
    'The store {0}: a copy of its server was running, or its disk was restored to an earlier state.',
  'says that the epoch {0} begins at {1}, not {2}': 'reports that the epoch {0} begins at number {1}, not {2}',
  'sends plays under numbers from {0} on that another of its epochs has':
    'sends plays with numbers from {0}, which belong to another of its epochs',
  'has other plays up to number {0} than it had when it sent them first':
    'has other plays up to number {0} than it sent before',
  'says that its database was put back more than {0} times':
    'reports that its database was restored more than {0} times',
  'has plays of times that no calendar has': 'has plays with impossible times',
  'is of an epoch that was not announced': 'belongs to an epoch that the store did not announce',
  'is of another store': 'belongs to another store',
  'is signed by another key than the store’s': 'is not signed with the key of the store',
  'ends before it begins': 'has a last number that is lower than its first number',
  'is not as the store signed it': 'does not match the signature of the store',
  'has other plays than it says': 'has other plays than its header states',
  'has plays that do not make its head': 'has plays that do not match its checksum',
  'has a header that is no JSON': 'has a header that is not valid JSON',
  'has a header whose {0} is wrong': 'has a header with an invalid {0}',
  'has another length than it says': 'has another length than its header states',
  'it ends too early': 'the data ends too early',
  'a number in it is too large': 'a number in the data is too large',
  'a number in it is longer than it has to be': 'a number in the data is written with too many bytes',
  'its dictionary is written otherwise than it has to be': 'the dictionary in the data has the wrong form',
  'a yes or no in it is neither': 'a yes/no value in the data is neither yes nor no',
  'a text in it is no UTF-8': 'a text in the data is not valid UTF-8',
  'something follows its end': 'the file has extra data after its end',
  'it has more than {0} plays': 'the data has more than {0} plays',
  'a number in it is there twice': 'a play number appears twice in the data',
  'a journal number in it is below 1': 'a journal number in the data is below 1',
  'an id of a play in it is none': 'the id of a play in the data is not valid',
  'it has more signatures than plays': 'the data has more signatures than plays',
  'its dictionary is no JSON': 'the dictionary in the data is not valid JSON',
  'its dictionary is none': 'the dictionary in the data is not valid',
  'a device is named in it twice': 'a screen appears twice in the data',
  'a play in it is of something that it does not name':
    'a play in the data refers to an entry that the dictionary does not have',
  'an uncertainty in it is none': 'a time uncertainty in the data is not valid',
  '{0} plays were deleted because of their age before headquarters had them.':
    '{0} plays were deleted because of their age before headquarters received them.',
  'The clocks of this server and of headquarters are {0} apart. Look which one is wrong.':
    'The clocks of this server and of headquarters differ by {0}. Check which clock is wrong.',
  'Headquarters has other plays than this server under the numbers from {0} on: a copy of this server has been running, or its disk was put back to an earlier state. Both sides’ plays are kept, each once.':
    'Headquarters has other plays than this server for the numbers from {0}: a copy of this server was running, or its disk was restored to an earlier state. The plays of both sides are kept, each play once.',
  'The new version did not work there, and the one before runs again: {0}':
    'The new version did not work in the store, and the earlier version runs again: {0}',
  'It could not be installed: {0}': 'The version could not be installed: {0}',
  'There has been an incident since: {0}': 'An incident happened after the update began: {0}',
  'There was no contact for {0} minutes.': 'There was no contact with the store for {0} minutes.',
  'It runs {0} again.': 'The store runs version {0} again.',
  'Of {0} screens that were online before, {1} are after {2} minutes.':
    '{0} screens were online before the update, but only {1} after {2} minutes.',
  'It has been fetching the files for {0} hours.': 'The store has been fetching the files for {0} hours.',
  'It is still trying the version after {0} minutes.': 'The store is still testing the version after {0} minutes.',
  'It still runs {0} after {1} minutes.': 'The store still runs {0} after {1} minutes.',
  'The USB stick was not imported: it {0}. Nothing was changed.':
    'The file on the USB stick was not imported: the file {0}. Nothing was changed.',
  'is another file than a stick of Vitrine': 'is not a Vitrine file for a USB stick',
  'is cut off: not all of it is there': 'is incomplete: its end is missing',
  'has something behind its end': 'has extra data after its end',
  'is not as it was written, or is for another server': 'was changed after it was written, or is for another server',
  'has a line that is no text': 'has a line that is not text',
  'ends in the middle of something': 'ends in the middle of an entry',
  'says nothing': 'contains no entries',
  'has an entry whose {0} is wrong': 'has an entry with an invalid {0}',
  'is of another headquarters': 'comes from another headquarters',
  'goes to headquarters, not to a store': 'is for headquarters, not for a store',
  'goes to a store, not to headquarters': 'is for a store, not for headquarters',
  'has the number {0}, and the stick {1} was imported before':
    'has the number {0}, but the file with the number {1} was already imported',
  'is of a server that is not this store’s': 'comes from a server that does not belong to this store',
  'proves a code that is not good now: it may be used up or too old. Make a new file for the store':
    'contains an enrolment code that is not valid: the code may be used up or too old. Create a new file for the store',
  'Another stick is being imported. Wait until it is done.':
    'Another USB stick is being imported. Wait until the import is finished.',
  'Too many sticks are being imported. Try again later.': 'Too many USB sticks are being imported. Try again later.',
  'A stick is being written already. Wait until it is done.':
    'Another USB stick is being written. Wait until the writing is finished.',
  'Too many sticks are being written at the moment. Try again later.':
    'Too many USB sticks are being written. Try again later.',
  '{0} is not enrolled. Import the store’s first stick first.':
    '{0} is not enrolled yet. Import the first USB stick from this store first.',
  '{0} has not sent its key for sticks yet. Update Vitrine there.':
    '{0} has not sent its encryption key for USB sticks yet. Update Vitrine in that store.',
  'Headquarters has not sent its key for sticks yet. Update Vitrine there.':
    'Headquarters has not sent its encryption key for USB sticks yet. Update Vitrine at headquarters.',
  'The store has named a key that is none, so that no stick can be sealed for it.':
    'The store sent an encryption key that is not valid, so no USB stick can be written for the store.',
  '{0} Take the stick in again then.': '{0} Then import the USB stick again.',
  'is of another headquarters than the file.': 'is a code from another headquarters than the file.',
  'Somebody in the store had the version before started.': 'A person in the store started the earlier version again.',
  'Another version is being installed there already.': 'The store is already installing another version.',
  '{0} Fetch {1} to its computer and type there: {2}':
    '{0} Download {1} to the computer of the server, then enter this command there: {2}',
  'Another rollout to stores is under way. Wait until it is done, or end it.':
    'Another rollout to stores is running. Wait until that rollout is finished, or end that rollout.',
  'none of them has a store that does not run it already':
    'no store in these waves needs the update: all of them already run this version',
  'The server answered {0}': 'The server answered with the status {0}',
};

/** Returns whether the text is a sentence. A single word may be a name, which must stay as it is. */
const isSentence = (text: string): boolean => text.includes(' ');

/**
 * Returns the sentences that older versions sent, each with the current English sentence. Also returns each of these
 * current sentences with itself, so that no pattern of a former sentence changes it.
 */
export const formerInEnglish = (): Record<string, string> => ({
  ...Object.fromEntries(Object.values(former).map((now) => [now, now])),
  ...Object.fromEntries(Object.entries(former).filter(([before]) => isSentence(before))),
});

/**
 * Returns the translations of the current sentences and of the sentences that older versions sent (the former ones).
 * @param sentences current sentences with their translations
 */
export const withFormer = (sentences: Readonly<Record<string, string>>): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(former).map(([before, now]) => [before, sentences[now] ?? now])),
  ...sentences,
});
