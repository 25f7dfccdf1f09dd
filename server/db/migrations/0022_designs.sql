CREATE TABLE `design_media` (
	`sha256` text NOT NULL,
	`content_id` text NOT NULL,
	PRIMARY KEY(`sha256`, `content_id`),
	FOREIGN KEY (`sha256`) REFERENCES `blobs`(`sha256`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `design_media_content` ON `design_media` (`content_id`);--> statement-breakpoint
ALTER TABLE `workspaces` ADD `logo_dark_content_id` text REFERENCES content(id) ON DELETE set null;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `brand` text;