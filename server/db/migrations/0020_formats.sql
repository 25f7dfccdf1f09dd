ALTER TABLE `blobs` ADD `format` text;--> statement-breakpoint
ALTER TABLE `devices` ADD `formats` text;