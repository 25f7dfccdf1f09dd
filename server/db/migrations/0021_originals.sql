ALTER TABLE `content` ADD `original_sha256` text REFERENCES blobs(sha256);--> statement-breakpoint
CREATE INDEX `content_original` ON `content` (`original_sha256`);